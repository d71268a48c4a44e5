-- wrk -s redirects.lua URL -- FILE [new]: requests the paths of a file, one a line, as three kinds of browsers do. With
-- `new`, each line is another visitor, whose address a proxy passes on, with one of forty browsers.
local agents = {
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1",
  "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36",
}
local requests = {}
local position = 0

function init(args)
  local isNew = args[2] == "new"
  math.randomseed(1)
  for path in io.lines(args[1]) do
    local n = #requests
    wrk.headers["User-Agent"] = agents[n % #agents + 1]
    if isNew then
      wrk.headers["User-Agent"] = agents[1]:gsub("141", 101 + n % 40)
      wrk.headers["X-Forwarded-For"] = math.random(1, 223) .. "." .. math.random(0, 255) .. "." .. math.random(0, 255) .. "." .. math.random(1, 254)
    end
    wrk.headers["Accept"] = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
    wrk.headers["Accept-Language"] = "en-US,en;q=0.9"
    wrk.headers["Referer"] = "https://news.example.org/page/" .. n % 50
    requests[n + 1] = wrk.format("GET", path)
  end
end

function request()
  position = position % #requests + 1
  return requests[position]
end
