-- For wrk: gives each request a different query, so that no page comes from the cache.
local threads, requests = 0, 0

function setup(thread)
    threads = threads + 1
    thread:set("number", threads)
end

function request()
    requests = requests + 1
    return wrk.format(nil, wrk.path .. "-" .. number .. "-" .. requests)
end
