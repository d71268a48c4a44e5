export const messages = {
  en: {
    comparison: {
      title: 'Compare statistics',
      name: 'Name',
      change: 'Change',
      figure: '{name}: one click. | {name}: {clicks} clicks.',
      gone: 'No longer available',
      remove: 'Remove {name}',
      removeColumn: 'Remove',
      addLinks: 'Add links',
      addHint: 'Compare up to {n} at a time.',
      add: { campaign: 'Add campaign', channel: 'Add channel' },
      short: { link: 'Links', campaign: 'Campaign', channel: 'Channel' },
      full: 'You can compare {n} at a time.',
      empty: 'Nothing to compare yet',
      emptyHint: 'Choose up to {n} links, campaigns or channels to see them in one chart.',
    },
  },
};
