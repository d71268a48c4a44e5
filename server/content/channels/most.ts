import { mostChannels } from '../../contract/channels.ts';
import { type Refusal, rejected } from '../../platform/errors.ts';

/** Whether a thing would be in more channels than there may be. One that is in more since before may be in fewer. */
export function isBeyondMost(count: number, before: number): boolean {
  return count > mostChannels && count > before;
}

/** 400 for a thing that is in as many channels as it can be. */
export function tooManyChannels(): Refusal {
  const message = `A link, QR code or bio page can be in at most ${mostChannels} channels. Remove it from one first.`;
  return rejected('too_many', 'channel', message);
}
