/** The texts of the pages that visitors see. One entry a language; a missing language falls back to English. */
export interface PageTexts {
  /** BCP 47 tag and direction for the `html` element. */
  language: string;
  direction: 'ltr' | 'rtl';
  notFound: { title: string; text: string };
  unknownHost: { title: string; text: string };
  gone: { title: string; text: string };
  expired: { title: string; text: string };
  early: { title: string; text: string };
  unsafe: { title: string; text: string };
  tooMany: { title: string; text: string };
  unavailable: { title: string; text: string };
  badMethod: { title: string; text: string };
  failed: { title: string; text: string };
  tooLarge: { title: string; text: string };
  landing: { title: string; text: string; signIn: string };
  password: {
    title: string;
    text: string;
    label: string;
    submit: string;
    wrong: string;
    tooMany: string;
  };
  preview: {
    title: string;
    text: string;
    destination: string;
    hidden: string;
    depends: string;
    go: string;
  };
  card: { title: string; go: string };
  /** What bio pages say beside what their owners wrote. */
  bio: {
    watch: string;
    download: string;
    saveContact: string;
    /** Labels of the contact form. */
    name: string;
    email: string;
    message: string;
    send: string;
    thanks: { title: string; text: string };
    refused: { title: string; text: string };
    back: string;
  };
}

const english: PageTexts = {
  language: 'en',
  direction: 'ltr',
  notFound: {
    title: 'There is no link here',
    text: 'Check the address for typing mistakes, or ask the person who sent it to you.',
  },
  unknownHost: {
    title: 'This address is not in use',
    text: 'The name that you followed points to this server, but nothing was set up for it here.',
  },
  gone: { title: 'This link was switched off', text: 'Its owner has taken it out of use.' },
  expired: {
    title: 'This link has expired',
    text: 'It was only meant for a certain time or number of visits.',
  },
  early: { title: 'This link is not open yet', text: 'It starts later. Come back in a while.' },
  unsafe: {
    title: 'This link leads nowhere',
    text: 'Its destination is not an address that a browser can safely open.',
  },
  tooMany: {
    title: 'Too many attempts',
    text: 'Many addresses that do not exist were tried from your network. Wait a minute and try again.',
  },
  unavailable: {
    title: 'One moment, please',
    text: 'This link cannot be opened right now. Try again in a minute.',
  },
  badMethod: { title: 'This is a link', text: 'It can only be opened, not written to.' },
  failed: { title: 'Something went wrong here', text: 'It is our fault, not yours. Try again in a minute.' },
  tooLarge: { title: 'That was too much', text: 'The form sent more than a password.' },
  landing: {
    title: 'Short links live here',
    text: 'This server opens the short links of its owner. Add the part after the slash to get somewhere.',
    signIn: 'Sign in',
  },
  password: {
    title: 'This link is protected',
    text: 'Enter the password that came with it.',
    label: 'Password',
    submit: 'Open the link',
    wrong: 'That password is not right. Try again.',
    tooMany: 'Too many wrong passwords. Wait a quarter of an hour and try again.',
  },
  preview: {
    title: 'Where this link leads',
    text: 'Looking here does not count as a visit.',
    destination: 'Destination',
    hidden: 'The destination is shown after the password is entered.',
    depends: 'It may differ by place, device, language or time.',
    go: 'Open the link',
  },
  card: { title: 'A short link', go: 'Open the link' },
  bio: {
    watch: 'Watch the video',
    download: 'Download',
    saveContact: 'Save contact',
    name: 'Your name',
    email: 'Your e-mail address',
    message: 'Your message',
    send: 'Send',
    thanks: { title: 'Thank you', text: 'Your message has arrived.' },
    refused: { title: 'That did not work', text: 'Go back, fill in every field and send it again.' },
    back: 'Back to the page',
  },
};

const catalogue: Record<string, PageTexts> = { en: english };

/** The texts in the first of the visitor's languages that there is. `languages` are lower-case tags. */
export function textsFor(languages: readonly string[]): PageTexts {
  for (const tag of languages) {
    const found = catalogue[tag] ?? catalogue[tag.split('-', 1)[0] ?? ''];
    if (found) return found;
  }
  return english;
}
