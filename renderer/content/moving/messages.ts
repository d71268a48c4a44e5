export const messages = {
  en: {
    moving: {
      action: 'Move to…',
      title: 'Move {n} record to another account | Move {n} records to another account',
      description: 'Short links, statistics and history move along. You can undo this.',
      to: 'Account',
      personal: 'Your personal account',
      related: 'What about what they use?',
      choices: {
        move: { name: 'Move it too', help: 'What stays here loses it.' },
        copy: { name: 'Copy it', help: 'Each account has its own.' },
        leave: { name: 'Leave it here', help: 'What moves loses it.' },
      },
      uses: 'They use: {names}.',
      more: '{n} more',
      taken: '{name} (there already)',
      codes: '{n} QR code goes along. | {n} QR codes go along.',
      submit: 'Move',
      done: 'Moved {n} record to {name}. | Moved {n} records to {name}.',
      none: 'Nothing was moved.',
      skipped: {
        not_found: '{n} is gone. | {n} are gone.',
        role_too_low:
          '{n} stays: you don’t have permission to move it. | {n} stay: you don’t have permission to move them.',
        plan_limit: '{n} stays: the plan’s limit is reached. | {n} stay: the plan’s limit is reached.',
        domain: '{n} stays: its domain can’t be used there. | {n} stay: their domains can’t be used there.',
      },
    },
  },
};
