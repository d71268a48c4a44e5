import type { LetterTexts } from '../letter-texts.ts';

export const english: LetterTexts = {
  language: 'en',
  direction: 'ltr',
  sentBy: 'Sent by Waypost at {host}.',
  switchOff: 'You can turn these emails off under Settings, Preferences.',
  test: {
    subject: 'Your email settings work',
    text: ['This is the test message that you sent yourself. Waypost can now send email.'],
  },
  invitation: {
    subject: 'You’re invited to {host}',
    text: ['{by} invited you to create an account on {host}.'],
    action: 'Create your account',
    note: 'The invitation works once, until {until}. If you don’t know what this is about, ignore it.',
  },
  teamInvitation: {
    subject: 'Join “{team}” on {host}',
    text: ['{by} invited you to the team “{team}” on {host}.'],
    action: 'Join the team',
    note: 'The invitation expires {until}. If you don’t know what this is about, ignore it.',
  },
  passwordReset: {
    subject: 'Reset your password',
    text: ['Somebody, hopefully you, asked for a new password for {username} on {host}.'],
    action: 'Choose a new password',
    note: 'The link works once, for 30 minutes. If you didn’t ask for it, ignore this message: your password stays as it is.',
  },
  passwordChanged: {
    subject: 'Your password was reset',
    text: [
      'The password of {username} on {host} was reset by email. All sessions and API keys have ended.',
      'If that wasn’t you, secure your email account first, then reset the password again.',
    ],
  },
  addressChanged: {
    subject: 'Your email address was changed',
    text: [
      'The account {username} on {host} has another email address now, so you no longer get its messages here.',
      'If that wasn’t you, sign in, change your password and set your address again. If you can’t sign in, ask an administrator of {host}.',
    ],
    action: 'Check your account',
  },
  newSignIn: {
    subject: 'New sign-in to {host}',
    text: [
      'Somebody signed in as {username} from a new device or network:',
      '{device}, {place}, {time}',
      'If that was you, there is nothing to do. If not, change your password: that signs out everyone else.',
    ],
    action: 'Check your sessions',
  },
  domainFailed: {
    subject: '{domain} no longer points here',
    text: ['The DNS records of {domain} no longer lead to {host}, so its short links don’t work.'],
    action: 'Check the domain',
  },
  certificateFailed: {
    subject: 'The certificate of {domain} can’t be renewed',
    text: [
      'Its certificate expires {until}, and renewing it keeps failing. After that, browsers will warn visitors of its short links.',
    ],
    action: 'Check the domain',
  },
  brokenLinks: {
    subject: 'Some destinations can’t be reached',
    text: ['These links lead to pages that don’t answer any more:', '{links}'],
    action: 'Open your links',
  },
};
