/** A rejected call from the page; the message is a sentence shown to the user. */
export class Refused extends Error {}
