export const messages = {
  en: {
    desktop: {
      title: 'This app',
      description: 'How Waypost behaves on this computer, whichever instance is shown.',
      openAtLogin: 'Start when I sign in to this computer',
      openAtLoginHelp: 'Waypost starts without a window, so that your short links work from the beginning.',
      background: 'Keep running when the window is closed',
      backgroundHelp: 'Short links of this computer work only while Waypost runs. It stays in the tray.',
      notifications: 'Notifications of the system',
      notificationsHelp:
        'When a domain stops leading here, somebody is refused at the sign-in, or the server ends.',
      shortcut: 'Shorten what is copied, from everywhere',
      shortcutHelp: 'Copy an address in any program and press these keys: the short link is made and copied.',
      shortcutTaken: 'Another program has these keys. Choose others.',
      shortcutNone: 'No keys',
      shortcutRecord: 'Press the new keys…',
      shortcutChange: 'Change',
      shortcutClear: 'Remove the keys',
      updates: 'Look for new versions',
      updatesHelp: 'Once a day, at the address that this build was given. Nothing about you is sent.',
      updatesNone: 'This build has no list of releases to look at, so it never asks.',
      update: 'Waypost {version} is there',
      updateGet: 'Get it',
      offer: 'A link asks to shorten an address',
    },
  },
};
