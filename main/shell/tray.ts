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
  /** The name of the instance that the links belong to. */
  readonly instance: string;
  /** Undefined while loading. */
  readonly recent: readonly RecentLink[] | undefined;
  /** The text of a notification that the system did not show. */
  readonly missed: string | undefined;
  /** The global shortcut that shortens the clipboard's address. */
  readonly shortcut: string | undefined;
}

/** The tray menu's template. Titles are untrusted text: they are truncated and escaped. */
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

/** Creates the tray icon. The returned function updates its menu. */
export function appTray(
  icon: string,
  platform: NodeJS.Platform,
  actions: TrayActions,
): (state: TrayState) => void {
  const image = nativeImage.createFromPath(icon);
  // Electron ignores an unreadable image, and the tray icon would be invisible.
  if (image.isEmpty()) throw new Error(`There is no picture at ${icon}.`);
  // macOS tints template images to match the menu bar.
  if (platform === 'darwin') image.setTemplateImage(true);
  const tray = new Tray(image);
  tray.setToolTip('Waypost');
  // On macOS a click already opens the menu.
  if (platform !== 'darwin') tray.on('click', actions.open);
  return (state) => tray.setContextMenu(Menu.buildFromTemplate(trayTemplate(state, actions)));
}

function shortAddress(address: string): string {
  return address.replace(/^https?:\/\//, '');
}

/** Untrusted text for a menu: truncated, without control characters, and with `&` escaped. */
function plain(text: string, length: number): string {
  const clean = text.replace(/\p{C}/gu, '').replaceAll('&', '&&');
  return clean.length > length ? `${clean.slice(0, length - 1)}…` : clean;
}
