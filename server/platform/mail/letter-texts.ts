/**
 * The texts of the messages that people get. A language is a file in `languages/`; whoever reads none of them gets
 * English. `{name}` stands for what the message is about.
 */
export interface LetterTexts {
  /** BCP 47 tag and direction of the message. */
  language: string;
  direction: 'ltr' | 'rtl';
  /** Below each message. */
  sentBy: string;
  /** Below those that an account can switch off. */
  switchOff: string;
  test: LetterText;
  invitation: LetterText;
  teamInvitation: LetterText;
  passwordReset: LetterText;
  passwordChanged: LetterText;
  newSignIn: LetterText;
  domainFailed: LetterText;
  certificateFailed: LetterText;
  brokenLinks: LetterText;
}

/** The kinds of messages. */
export type LetterKind = Exclude<keyof LetterTexts, 'language' | 'direction' | 'sentBy' | 'switchOff'>;

interface LetterText {
  subject: string;
  /** Paragraphs. */
  text: readonly string[];
  /** What its button says, where it has one. */
  action?: string;
  /** What else there is to know, below the button. */
  note?: string;
}
