import type { Channel, ChannelChange, NewChannel } from '../../../server/contract/channels.ts';
import { readColor } from './channel-color.ts';

/** Form state of a channel; '' is not set. */
export interface ChannelFormState {
  name: string;
  description: string;
  color: string;
  starred: boolean;
}

/** The form state of a new channel. */
export function emptyChannelForm(): ChannelFormState {
  return { name: '', description: '', color: '', starred: false };
}

/** The form state of an existing channel. */
export function formOfChannel({ name, description, color, starred }: Channel): ChannelFormState {
  return { name, description: description ?? '', color: readColor(color) ?? '', starred };
}

/** The create request of a channel. */
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

/** The changed fields in API format; null clears a field. */
export function channelChangeOf(form: ChannelFormState, before: ChannelFormState): ChannelChange {
  const change: ChannelChange = {};
  if (form.name.trim() !== before.name) change.name = form.name.trim();
  if (form.description.trim() !== before.description) change.description = form.description.trim() || null;
  if (readColor(form.color) !== readColor(before.color)) change.color = readColor(form.color) ?? null;
  if (form.starred !== before.starred) change.starred = form.starred;
  return change;
}
