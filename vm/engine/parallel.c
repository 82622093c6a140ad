/* parallel.c: a pool of threads that share out numbered items of work. Which thread does an item must not matter to any result. */
#include "vm/engine/exec.h"

#include <pthread.h>
#include <stdatomic.h>

struct kr_workers {
    int count;                 /* with the caller */
    pthread_t *threads;
    pthread_mutex_t lock;
    pthread_cond_t wake, idle;
    uint64_t round;            /* counts the calls of kr_workers_run */
    int busy, next_thread;
    bool stop;
    kr_work *work;
    void *context;
    size_t items;
    atomic_size_t next;
};

static void take_items(kr_workers *w, int thread)
{
    for (size_t item; (item = atomic_fetch_add(&w->next, 1)) < w->items;)
        w->work(w->context, thread, item);
}

static void *worker(void *argument)
{
    kr_workers *w = argument;
    uint64_t seen = 0;
    pthread_mutex_lock(&w->lock);
    int thread = ++w->next_thread;
    for (;;) {
        while (!w->stop && w->round == seen)
            pthread_cond_wait(&w->wake, &w->lock);
        if (w->stop)
            break;
        seen = w->round;
        pthread_mutex_unlock(&w->lock);
        take_items(w, thread);
        pthread_mutex_lock(&w->lock);
        if (--w->busy == 0)
            pthread_cond_signal(&w->idle);
    }
    pthread_mutex_unlock(&w->lock);
    kr_num_thread_done();
    return NULL;
}

kr_workers *kr_workers_new(int threads)
{
    kr_workers *w = kr_alloc(sizeof *w);
    w->threads = kr_alloc(sizeof *w->threads * (size_t)(threads > 0 ? threads : 1));
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->wake, NULL);
    pthread_cond_init(&w->idle, NULL);
    w->count = 1;
    for (int i = 1; i < threads; i++) {
        if (pthread_create(&w->threads[w->count - 1], NULL, worker, w) != 0)
            break; /* fewer threads: slower, and the same results */
        w->count++;
    }
    return w;
}

void kr_workers_free(kr_workers *w)
{
    if (!w)
        return;
    pthread_mutex_lock(&w->lock);
    w->stop = true;
    pthread_cond_broadcast(&w->wake);
    pthread_mutex_unlock(&w->lock);
    for (int i = 0; i + 1 < w->count; i++)
        pthread_join(w->threads[i], NULL);
    pthread_mutex_destroy(&w->lock);
    pthread_cond_destroy(&w->wake);
    pthread_cond_destroy(&w->idle);
    kr_free(w->threads);
    kr_free(w);
}

int kr_workers_count(const kr_workers *w) { return w->count; }

void kr_workers_run(kr_workers *w, size_t items, kr_work *work, void *context)
{
    if (w->count == 1 || items < 2) {
        for (size_t i = 0; i < items; i++)
            work(context, 0, i);
        return;
    }
    pthread_mutex_lock(&w->lock);
    w->work = work;
    w->context = context;
    w->items = items;
    atomic_store(&w->next, 0);
    w->busy = w->count - 1;
    w->round++;
    pthread_cond_broadcast(&w->wake);
    pthread_mutex_unlock(&w->lock);
    take_items(w, 0);
    pthread_mutex_lock(&w->lock);
    while (w->busy > 0)
        pthread_cond_wait(&w->idle, &w->lock);
    pthread_mutex_unlock(&w->lock);
}
