import type { Channel, ChannelChange, NewChannel } from '../../../server/contract/channels.ts';
import { readColor } from './channel-color.ts';

/** The fields of a channel as people fill them in; '' is not set. */
export interface ChannelFormState {
  name: string;
  description: string;
  color: string;
  starred: boolean;
}

/** A new channel before anything was typed. */
export function emptyChannelForm(): ChannelFormState {
  return { name: '', description: '', color: '', starred: false };
}

/** The form of a channel that is there. */
export function formOfChannel({ name, description, color, starred }: Channel): ChannelFormState {
  return { name, description: description ?? '', color: readColor(color) ?? '', starred };
}

/** What a new channel is made of. */
export function newChannelOf(form: ChannelFormState): NewChannel {
  const description = form.description.trim();
  const color = readColor(form.color);
  return {
    name: form.name.trim(),
    ...(description && { description }),
    ...(color && { color }),
    ...(form.starred && { starred: true }),
  };
}

/** The changed fields in wire format: null clears. */
export function channelChangeOf(form: ChannelFormState, before: ChannelFormState): ChannelChange {
  const change: ChannelChange = {};
  if (form.name.trim() !== before.name) change.name = form.name.trim();
  if (form.description.trim() !== before.description) change.description = form.description.trim() || null;
  if (readColor(form.color) !== readColor(before.color)) change.color = readColor(form.color) ?? null;
  if (form.starred !== before.starred) change.starred = form.starred;
  return change;
}
