-- Starting processes for a bucket, or planning each anew, takes far longer than reading the bucket.
ALTER FUNCTION users_with(text, bigint, bigint) SET max_parallel_workers_per_gather = 0;
ALTER FUNCTION users_with(text, bigint, bigint) SET plan_cache_mode = force_generic_plan;
