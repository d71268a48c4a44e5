/** The texts of emails. Each language is a file in `languages/`; others get English. `{name}` is a placeholder. */
export interface LetterTexts {
  /** BCP 47 tag and direction of the text. */
  language: string;
  direction: 'ltr' | 'rtl';
  /** Shown below every message. */
  sentBy: string;
  /** Shown below those that an account can turn off. */
  switchOff: string;
  test: LetterText;
  invitation: LetterText;
  teamInvitation: LetterText;
  passwordReset: LetterText;
  passwordChanged: LetterText;
  addressChanged: LetterText;
  newSignIn: LetterText;
  domainFailed: LetterText;
  certificateFailed: LetterText;
  brokenLinks: LetterText;
}

/** The types of messages. */
export type LetterKind = Exclude<keyof LetterTexts, 'language' | 'direction' | 'sentBy' | 'switchOff'>;

interface LetterText {
  subject: string;
  /** Paragraphs. */
  text: readonly string[];
  /** The label of its button, if it has one. */
  action?: string;
  /** Additional information, below the button. */
  note?: string;
}
