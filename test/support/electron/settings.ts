import { mkdirSync } from 'node:fs';

/** How a stand-in is told what to be; set by launchDesktop in the environment of the process it starts. */
export interface Settings {
  userData: string;
  /** The key store that the system pretends to have. */
  keyStore: 'gnome_libsecret' | 'basic_text';
  isPackaged: boolean;
}

const text = process.env.ELECTRON_STAND_IN;
if (!text) throw new Error('The stand-in of Electron is started by launchDesktop().');

export const settings: Settings = JSON.parse(text);
mkdirSync(settings.userData, { recursive: true });
