# the same change cut by hand: one file that says, formula by formula, what holds before 2024-02-07 and what from then on
s/"(1 - credit_smoothing) \(.*\) + credit_smoothing \* credit"/"(1 - IF(day < DATE(2024, 2, 7), 0.3, 0.25)) \1 + IF(day < DATE(2024, 2, 7), 0.3, 0.25) * credit"/
s/"(1 - skill_smoothing) \* PREV(g, 0) + skill_smoothing/"(1 - IF(day < DATE(2024, 2, 7), 0.3, 0.4)) * PREV(g, 0) + IF(day < DATE(2024, 2, 7), 0.3, 0.4)/
s/-return_cap, return_cap/-IF(day < DATE(2024, 2, 7), 10%, 8%), IF(day < DATE(2024, 2, 7), 10%, 8%)/
s/"emission \* miners_share"/"IF(day < DATE(2024, 2, 7), emission, AS(6000, 'alpha')) * miners_share"/
s/round_trips >= gate_trips, active_days >= gate_active/IF(day < DATE(2024, 2, 7), AND(round_trips >= gate_trips, active_days >= gate_active), OR(round_trips >= gate_trips, active_days >= gate_active))/
