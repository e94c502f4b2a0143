-- For wrk: each request has a query of its own, so that no page is answered from the cache.
local threads, requests = 0, 0

function setup(thread)
    threads = threads + 1
    thread:set("number", threads)
end

function request()
    requests = requests + 1
    return wrk.format(nil, wrk.path .. "-" .. number .. "-" .. requests)
end
