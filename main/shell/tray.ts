import { Menu, type MenuItemConstructorOptions, nativeImage, Tray } from 'electron';

export interface RecentLink {
  readonly shorturl: string;
  readonly title: string;
}

interface TrayActions {
  open(): void;
  newLink(): void;
  shortenCopied(): void;
  copy(address: string): void;
  openMissed(): void;
  quit(): void;
}

interface TrayState {
  /** Which instance the links are of. */
  readonly instance: string;
  /** Undefined while they are being looked for. */
  readonly recent: readonly RecentLink[] | undefined;
  /** What a notification was to say that the system did not show. */
  readonly missed: string | undefined;
  /** The keys that shorten what is copied from everywhere. */
  readonly shortcut: string | undefined;
}

/** The tray's menu as data. Titles are the instance's words: shortened, and never taken for keys. */
export function trayTemplate(state: TrayState, actions: TrayActions): MenuItemConstructorOptions[] {
  const separator: MenuItemConstructorOptions = { type: 'separator' };
  return [
    ...(state.missed === undefined
      ? []
      : [{ id: 'tray-missed', label: plain(state.missed, 100), click: actions.openMissed }, separator]),
    { id: 'tray-open', label: 'Open Waypost', click: actions.open },
    { id: 'tray-new', label: 'New link…', click: actions.newLink },
    {
      id: 'tray-shorten',
      label: 'Shorten URL from clipboard',
      ...(state.shortcut && { accelerator: state.shortcut, registerAccelerator: false }),
      click: actions.shortenCopied,
    },
    separator,
    { label: recentLabel(state), enabled: false },
    ...(state.recent ?? []).map(
      (link, index): MenuItemConstructorOptions => ({
        id: `tray-recent-${index}`,
        label: plain(
          link.title ? `${shortAddress(link.shorturl)}  ${link.title}` : shortAddress(link.shorturl),
          60,
        ),
        click: () => actions.copy(link.shorturl),
      }),
    ),
    separator,
    { id: 'tray-quit', label: 'Quit Waypost', click: actions.quit },
  ];
}

function recentLabel({ instance, recent }: TrayState): string {
  if (!recent) return `Looking for the links of ${plain(instance, 30)}…`;
  return recent.length > 0 ? `Copy a recent link of ${plain(instance, 30)}` : 'No links yet';
}

/** Puts the app into the tray. The returned function shows another state. */
export function appTray(
  icon: string,
  platform: NodeJS.Platform,
  actions: TrayActions,
): (state: TrayState) => void {
  const image = nativeImage.createFromPath(icon);
  // Electron makes nothing of a picture that it cannot read, and a tray icon of nothing that nobody would find.
  if (image.isEmpty()) throw new Error(`There is no picture at ${icon}.`);
  // macOS draws such an image in the colour that its menu bar has at the moment.
  if (platform === 'darwin') image.setTemplateImage(true);
  const tray = new Tray(image);
  tray.setToolTip('Waypost');
  // macOS brings up the menu at the same click, and a window would come in its way.
  if (platform !== 'darwin') tray.on('click', actions.open);
  return (state) => tray.setContextMenu(Menu.buildFromTemplate(trayTemplate(state, actions)));
}

function shortAddress(address: string): string {
  return address.replace(/^https?:\/\//, '');
}

/** Without what a menu takes for a key (`&`), control characters, and length. */
function plain(text: string, length: number): string {
  const clean = text.replace(/\p{C}/gu, '').replaceAll('&', '&&');
  return clean.length > length ? `${clean.slice(0, length - 1)}…` : clean;
}
