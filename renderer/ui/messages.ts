export const messages = {
  en: {
    ui: {
      page: { title: '{title} · Waypost', back: 'Back' },
      copy: { name: 'Copy', copied: 'Copied', failed: 'Could not copy' },
      link: { copy: 'Copy short link', open: 'Open short link', statistics: 'Statistics' },
      qr: { show: 'QR code', picture: 'QR code of {url}' },
      list: { search: 'Search' },
      records: {
        failure: 'The list could not be loaded',
        again: 'Try again',
        none: 'Nothing matches',
        noneHelp: 'Try fewer letters, or clear what narrows the list down.',
        clear: 'Clear search and filters',
        pages: 'Pages',
      },
      form: { cancel: 'Cancel' },
      filter: { search: 'Search…', chosen: '{label}: {choice}', clear: 'Remove the filter “{label}”' },
      order: {
        handle: 'Move {name}',
        role: 'movable',
        help: 'Press Space to pick a row up, the arrow keys to move it, Space to drop it, Escape to put it back.',
        lifted: 'Picked up. Place {position} of {total}.',
        moved: 'Place {position} of {total}.',
        dropped: 'Dropped at place {position} of {total}.',
        cancelled: 'Put back.',
      },
      undo: { action: 'Undo', done: 'Undone' },
      confirm: { cancel: 'Cancel' },
      failure: {
        title: 'That did not work',
        unknown: 'Something unexpected happened. Try again; if it stays, reload the page.',
      },
    },
  },
};
