/** The headers of three browsers, as in redirects.lua. */
const agents = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36',
];

/** The raw requests for a file of paths, the same ones that redirects.lua creates. */
export function wireRequests(paths: readonly string[], port: number): Buffer[] {
  return paths.map((path, index) =>
    Buffer.from(
      [
        `GET ${path} HTTP/1.1`,
        `Host: 127.0.0.1:${port}`,
        `User-Agent: ${agents[index % agents.length]}`,
        'Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
        'Accept-Language: en-US,en;q=0.9',
        `Referer: https://news.example.org/page/${index % 50}`,
        '\r\n',
      ].join('\r\n'),
    ),
  );
}
