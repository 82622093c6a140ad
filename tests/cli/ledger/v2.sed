# a second version of the pay rule: smoothing, cap, emission, and a formula
s/^\(param.credit_smoothing = { \)0.3/\10.25/
s/^\(param.skill_smoothing = { \)0.3/\10.4/
s/^\(param.return_cap = { \)"10%"/\1"8%"/
s/^\(param.emission = { \)7200/\16000/
s/round_trips >= gate_trips, active_days >= gate_active/OR(round_trips >= gate_trips, active_days >= gate_active)/
s/version = 1/version = 2/
s/from = "2023-01-01"/from = "2024-02-07"/
# its examples state the first version's values
/^example(/,$d
