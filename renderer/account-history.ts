import { createWebHistory, type RouterHistory } from 'vue-router';

interface Accounts {
  /** The active team; undefined for the personal account. */
  readonly team: () => number | undefined;
  /** Called with the team in the initial URL. */
  readonly begin: (team: number | undefined) => void;
  /** Called when Back or Forward leads to a URL of another account. */
  readonly moved: (team: number | undefined) => void;
}

/**
 * The history of the pages below `base`. URLs contain the active team, `/team/7/links`, but routes do not: bookmarks,
 * links in a new tab and Back open the account that they were created in.
 */
export function accountHistory(base: string, { team, begin, moved }: Accounts): RouterHistory {
  const history = createWebHistory(base);
  const withTeam = (path: string) => (team() === undefined ? path : `/team/${team()}${path}`);
  begin(readAddress(history.location).team);

  return {
    base: history.base,
    get location() {
      return readAddress(history.location).path;
    },
    get state() {
      return history.state;
    },
    push: (path, data) => history.push(withTeam(path), data),
    replace: (path, data) => history.replace(withTeam(path), data),
    go: (delta, triggerListeners) => history.go(delta, triggerListeners),
    listen: (listener) =>
      history.listen((to, from, information) => {
        const address = readAddress(to);
        if (address.team !== team()) moved(address.team);
        listener(address.path, readAddress(from).path, information);
      }),
    createHref: (path) => history.createHref(withTeam(path)),
    destroy: () => history.destroy(),
  };
}

/** The route below `base` that a link leads to, if it leads to a page of the given account. */
export function routeOfLink(
  link: HTMLAnchorElement,
  base: string,
  team: number | undefined,
): string | undefined {
  if (link.origin !== window.location.origin || !link.pathname.startsWith(`${base}/`)) return undefined;
  const address = readAddress(link.pathname.slice(base.length) + link.search);
  return address.team === team ? address.path : undefined;
}

function readAddress(address: string): { team: number | undefined; path: string } {
  const [, id, rest = ''] = /^\/team\/([1-9]\d{0,14})(?![^/?#])(.*)$/.exec(address) ?? [];
  if (id === undefined) return { team: undefined, path: address };
  return { team: Number(id), path: rest.startsWith('/') ? rest : `/${rest}` };
}
