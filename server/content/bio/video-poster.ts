/** Address of the still that a video service has of a video; undefined for services that have no such address. */
export function videoPoster(address: string): string | undefined {
  const url = URL.parse(address);
  const id = url && youtubeId(url);
  return id && /^[\w-]{11}$/.test(id) ? `https://i.ytimg.com/vi/${id}/hqdefault.jpg` : undefined;
}

function youtubeId({ hostname, pathname, searchParams }: URL): string | null | undefined {
  if (hostname === 'youtu.be') return pathname.slice(1);
  if (!/^(www\.|m\.|music\.)?youtube(-nocookie)?\.com$/.test(hostname)) return undefined;
  return searchParams.get('v') ?? /^\/(?:embed|shorts|live)\/([^/]+)/.exec(pathname)?.[1];
}
