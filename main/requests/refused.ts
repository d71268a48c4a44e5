/** A call of the page that is not carried out; the message is a sentence for the person. */
export class Refused extends Error {}
