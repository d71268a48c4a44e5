export const messages = {
  en: {
    activity: {
      title: 'Activity',
      refresh: 'Refresh',
      what: 'What',
      who: 'Who',
      whose: 'Whose',
      own: 'My account only',
      key: 'With',
      where: 'From',
      when: 'When',
      about: 'about {name}',
      nobody: 'Not signed in',
      none: 'Nothing happened yet',
      noneHelp: 'Sign-ins, changes of keys, users, plans and settings are written down here.',
      actions: {
        account: {
          email: 'Changed the e-mail address',
          username: 'Changed the user name',
          password: 'Changed the password',
          mailerapikey: 'Changed the mail key',
        },
        twofactor: {
          enabled: 'Switched two-factor authentication on',
          disabled: 'Switched two-factor authentication off',
          recovery_codes: 'Made new recovery codes',
          recovery_used: 'Used a recovery code',
        },
        session: { started: 'Signed in', ended: 'Signed out', refused: 'Failed to sign in' },
        key: {
          added: 'Made an API key',
          updated: 'Changed an API key',
          deleted: 'Deleted an API key',
          rotated: 'Replaced the primary key',
        },
        user: {
          added: 'Made a user',
          updated: 'Changed a user',
          deleted: 'Deleted a user',
          registered: 'Registered',
        },
        invitation: { added: 'Invited somebody', deleted: 'Took an invitation back' },
        plan: { added: 'Made a plan', updated: 'Changed a plan', deleted: 'Deleted a plan' },
        settings: { updated: 'Changed the settings' },
      },
    },
  },
};
