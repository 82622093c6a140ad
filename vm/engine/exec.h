/* exec.h: the state of a run (private to vm/engine).
 *
 * Each task of the plan has a state here. A task is begun (memory), run for all rows or, inside a cycle, for the rows of one step at
 * a time, and ended. Rows are counted by uint32_t; maps from rows to rows keep specials at the top of that range. */
#ifndef KR_EXEC_H
#define KR_EXEC_H

#include "vm/engine/plan.h"
#include "vm/lang/script.h"

/* ---- threads (parallel.c) */
typedef struct kr_workers kr_workers;
typedef void kr_work(void *context, int thread, size_t item);
kr_workers *kr_workers_new(int threads);
void kr_workers_free(kr_workers *workers);
int kr_workers_count(const kr_workers *workers);
void kr_workers_run(kr_workers *workers, size_t items, kr_work *work, void *context); /* returns when all items are done */

/* ---- maps: a row or group, or a special */
#define KR_MAP_FIRST_SPECIAL (UINT32_MAX - (uint32_t)KR_SPECIALS + 1)
static inline bool kr_map_is_special(uint32_t m) { return m >= KR_MAP_FIRST_SPECIAL; }
static inline uint32_t kr_map_of(kr_cell special) { return UINT32_MAX - (uint32_t)special.lo; } /* blank: KR_NO_ROW */
static inline kr_cell kr_map_special(uint32_t m) { return KR_SPECIAL(UINT32_MAX - m); }

/* ---- indexes (index.c) */
typedef struct kr_index {
    int column_count;
    const kr_column **columns; /* must stay as long as the index is probed: cells of a group's first row decide */
    struct kr_level *levels;   /* direct: one per column */
    uint32_t *table;           /* direct: place -> group; NULL: hashed */
    struct kr_slot *slots;     /* hashed; a power of two of them */
    size_t room;
    uint32_t *first, *low_hash; /* per group: its first row, the hash's lower half */
    bool growing;              /* filled day by day: groups of later rows come after */
    bool specials;             /* blanks and errors are values like others (partitions) */
    uint32_t group_count;
    size_t group_capacity;
    uint32_t *start;           /* group_count + 1 */
    uint32_t *rows;            /* by group, in the order of rows */
    uint32_t *group_of;        /* per row; KR_NO_ROW: in none (a blank or an error) */
    size_t row_count, filled;
} kr_index;

/* An index over rows [0, n) of columns; growing: empty, rows come by kr_index_add. */
kr_index *kr_index_new(const kr_column *const *columns, int count, size_t rows, bool growing, bool specials);
void kr_index_add(kr_index *index, const uint32_t *rows, size_t n);
void kr_index_free(kr_index *index);
/* The group of each of n tuples; KR_NO_ROW none (or a blank in it), or the map value of an error. */
void kr_index_probe(const kr_index *index, const kr_cell *const *near, size_t n, uint32_t *groups);
size_t kr_index_bytes(const kr_index *index);
/* Rows in order of columns (blanks first, kr_cell_cmp); equal ones keep their order. */
void kr_sort_rows(const kr_pool *pool, const kr_column *const *columns, int count, uint32_t *rows, size_t n);

typedef struct kr_seq {
    uint32_t *order;           /* rows by partition, then order */
    uint32_t *pos;             /* row -> its place in order */
    uint32_t *part_of;         /* row -> partition */
    uint32_t *start;           /* part_count + 1 places */
    uint32_t part_count;
    size_t row_count;
} kr_seq;

typedef struct kr_sorted {     /* groups of an index by a day or time column; rows whose cell is blank or an error are out */
    uint32_t *start, *rows;
    int64_t *when;
    size_t count;
} kr_sorted;

typedef struct kr_relation {   /* rows as made: columns by name */
    int column_count;
    const char **names;
    kr_column *columns;
    size_t count;
    bool borrowed;             /* the cells are the dataset's */
} kr_relation;

/* ---- states */
typedef struct kr_state {
    bool needed, kept, done, borrowed;
    int readers;               /* components yet to come that read it */
    kr_column column;
    uint32_t *map;
    kr_cell *values;           /* AGG: per group */
    uint32_t *best;            /* ARG: per group */
    uint8_t *ready;            /* per group: computed */
    size_t value_capacity;
    kr_cell empty;             /* AGG over nothing */
    kr_cell *scalars;          /* AGG: constants */
    kr_index *index;
    kr_seq *seq;
    kr_sorted *sorted;
    kr_relation *relation;
    struct kr_hops *hops;
    uint32_t *true_before, *true_after; /* CHOOSE with a condition: the nearest place where it holds */
    void *work;                /* of the task's file while it runs step by step */
    int64_t count;             /* PREV, WINDOW */
    int error_known;           /* 0 not looked, 1 none, 2 some */
} kr_state;

struct kr_run {
    const kr_plan *plan;
    const kr_model *model;
    const kr_dataset *data;
    kr_pool *pool;
    kr_run_options options;
    kr_arena *arena;
    kr_workers *workers;
    kr_arena **scratch;        /* per thread */
    size_t chunk;
    kr_state *states;          /* per task */
    size_t *row_counts;        /* per row set */
    int64_t first_day, last_day;
    bool has_days;
    kr_failed *failed;
    size_t failed_count, failed_capacity;
    uint64_t ms[2];
    struct kr_overlay **overlays; /* per row set */
    kr_diags *diags;
    bool broken;               /* a diagnostic was added: stop */
    size_t bytes, peak;
    const kr_run *base;        /* kr_run_eval: columns of this finished run are taken as they are */
    bool *made_again;          /* kr_run_eval, per row set: made anew, not taken from base */
};

static inline kr_state *kr_state_of(const kr_run *run, const kr_task *task) { return &run->states[task->id]; }
static inline const kr_column *kr_cells_of(const kr_run *run, const kr_task *task) { return &run->states[task->id].column; }
static inline size_t kr_rows_of(const kr_run *run, const kr_rowset *rowset) { return run->row_counts[rowset->id]; }

/* ---- programs (exec.c) */
typedef struct kr_lanes {      /* rows of frame f: rows[f], or start[f] … when that is NULL */
    size_t n;
    const uint32_t *rows[2];
    size_t start[2];
} kr_lanes;
typedef struct kr_exec kr_exec;
kr_exec *kr_exec_open(const kr_run *run, const kr_program *program, size_t chunk, int thread);
const kr_cell *kr_exec_run(kr_exec *exec, const kr_lanes *lanes); /* lanes->n <= chunk; valid until the next call */
void kr_exec_close(kr_exec *exec);                                /* NULL is fine */
kr_cell kr_exec_constant(const kr_run *run, const kr_program *program); /* a program without rows */

/* Several programs over the own rows of a task, chunk by chunk: the body sees their results. For whole tasks all threads work. */
typedef struct kr_chunk {
    kr_run *run;
    kr_task *task;
    int thread;
    size_t n;
    const uint32_t *rows;      /* n rows, or NULL: start … */
    size_t start;
    const kr_cell **in;        /* results of the programs */
    void *context;
} kr_chunk;
static inline uint32_t kr_chunk_row(const kr_chunk *c, size_t i) { return c->rows ? c->rows[i] : (uint32_t)(c->start + i); }
typedef void kr_chunk_body(const kr_chunk *chunk);
void kr_each_chunk(kr_run *run, kr_task *task, kr_program *const *programs, int count, const uint32_t *rows, size_t n, kr_chunk_body *body, void *context);

/* What primitives took for themselves in a call is free again; for loops that call many of them. */
static inline void kr_scratch_tidy(kr_arena *scratch)
{
    if (kr_arena_bytes(scratch) > (1u << 20))
        kr_arena_reset(scratch);
}

/* The numeric arguments a series kernel gets, from a task's series: known rows only, errors first. */
typedef struct kr_aggregate {
    const kr_fn *fn;
    kr_call call;
    kr_type types[8];
    int series;
} kr_aggregate;
void kr_aggregate_init(kr_aggregate *agg, const kr_run *run, const kr_task *task, int series, kr_env *env);
/* Over rows of cells (series k at in[k]); where NULL: all. Compacts in place. Scalars may be special: they spread after the series. */
kr_cell kr_aggregate_value(const kr_aggregate *agg, kr_cell *const *in, const kr_cell *where, size_t n, const kr_cell *scalars, int scalar_count);

/* ---- paths (hops.c): a graph is made by its task; each program that asks has a search of its own */
typedef struct kr_hops kr_hops;
typedef struct kr_hops_search kr_hops_search;
void kr_hops_run(kr_run *run, kr_task *task);
void kr_hops_free(kr_hops *hops);                  /* NULL is fine, as for _close */
size_t kr_hops_bytes(const kr_hops *hops);
kr_hops_search *kr_hops_open(const kr_hops *hops);
void kr_hops_close(kr_hops_search *search);
/* Texts that a path from `from` (BY ()), of times from start to end, may lead to, passing what is not barred by `by`: all that HOPS with a
 * later or equal `by` and no later end finds, and perhaps more. Valid until the next call. */
size_t kr_hops_reach(kr_hops_search *search, kr_cell from, kr_cell start, kr_cell end, kr_cell by, const uint32_t **texts);
/* in: vectors of from, t, to, u, least, by and the columns of BY. Fast when questions with one from and t stand together. */
void kr_hops_eval(kr_hops_search *search, const kr_cell *const *in, size_t n, kr_cell *out);

/* ---- tasks: begin once, run for rows (NULL: all n rows of the row set), end once */
void kr_task_begin(kr_run *run, kr_task *task, bool stepping);
void kr_task_run(kr_run *run, kr_task *task, const uint32_t *rows, size_t n);
void kr_task_end(kr_run *run, kr_task *task);

void kr_column_run(kr_run *run, kr_task *task, const uint32_t *rows, size_t n);
void kr_step_along(kr_run *run, const kr_scc *scc, const uint32_t *rows, size_t n); /* step.c */
void kr_step_days(kr_run *run, const kr_scc *scc);

void kr_rows_run(kr_run *run, kr_task *task);                                       /* rows.c */
void kr_part_run(kr_run *run, kr_task *task);
void kr_days_run(kr_run *run, kr_task *task);
void kr_relation_free(kr_relation *relation);
void kr_join_run(kr_run *run, kr_task *task);                                       /* join.c */
void kr_fold_run(kr_run *run, kr_task *task);                                       /* fold.c */
kr_relation *kr_relation_new(kr_run *run, int columns, const char *const *names, const kr_type *types, size_t count);
void kr_relation_distinct(kr_run *run, kr_relation *relation);                      /* sorted, each once, blank keys out */

void kr_seq_run(kr_run *run, kr_task *task);                                        /* sequence.c */
void kr_sorted_run(kr_run *run, kr_task *task);
void kr_prev_run(kr_run *run, kr_task *task);
void kr_choose_begin(kr_run *run, kr_task *task, bool stepping);
void kr_choose_run(kr_run *run, kr_task *task, const uint32_t *rows, size_t n);
uint32_t kr_first_not_before(const int64_t *when, uint32_t from, uint32_t to, int64_t t); /* first place in [from, to) whose time is not before t */
kr_cell kr_first_error(const kr_column *where, const kr_index *index, uint32_t group);   /* of a group's rows in key order; blank: none */
void kr_line_run(kr_run *run, kr_task *task, const uint32_t *rows, size_t n);       /* line.c */

void kr_group_run(kr_run *run, kr_task *task, const uint32_t *rows, size_t n);      /* match.c */
void kr_agg_begin(kr_run *run, kr_task *task);                                      /* aggregate.c */
void kr_agg_run(kr_run *run, kr_task *task, const uint32_t *rows, size_t n);
void kr_arg_run(kr_run *run, kr_task *task, const uint32_t *rows, size_t n);
void kr_pairs_run(kr_run *run, kr_task *task, const uint32_t *rows, size_t n);      /* pairs.c */
void kr_window_begin(kr_run *run, kr_task *task, bool stepping);                    /* window.c */
void kr_window_run(kr_run *run, kr_task *task, const uint32_t *rows, size_t n);
void kr_window_end(kr_run *run, kr_task *task);
void kr_share_run(kr_run *run, kr_task *task, const uint32_t *rows, size_t n);      /* share.c */
void kr_component_run(kr_run *run, kr_task *task, const uint32_t *rows, size_t n);  /* component.c */

/* Cells of earlier versions in place of computed ones (overlay.c). */
void kr_overlay_apply(kr_run *run, kr_task *task, const uint32_t *rows, size_t start, size_t n, kr_cell *cells);
bool kr_overlay_prepare(kr_run *run, kr_task *task);
void kr_overlay_free(kr_run *run);

/* Groups whose values a step needs: all (rows NULL), or those of these rows that are not ready. Returns their number; list is the caller's to free. */
size_t kr_groups_due(const kr_index *index, kr_state *state, const uint32_t *rows, size_t n, uint32_t **list);
bool kr_has_error(kr_run *run, kr_task *task); /* any cell of a finished column */
void kr_count_of(kr_run *run, kr_task *task);  /* evaluates count into the state; 0: not a count */
int64_t kr_day_of_cell(kr_type type, kr_cell cell); /* of a clock; INT64_MIN when not known */

#endif
