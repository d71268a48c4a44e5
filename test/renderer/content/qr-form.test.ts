import { describe, expect, test } from 'vitest';
import {
  emptyQrForm,
  formOfQr,
  isFilledIn,
  newQrOf,
  previewBodyOf,
  type QrFormState,
  qrChangeOf,
} from '../../../renderer/content/qr/qr-form.ts';
import { newQr, type QrDetails } from '../../../server/contract/qr.ts';
import { qrContents, qrTypes } from '../../../server/contract/qr-content.ts';

const stored: QrDetails = {
  id: 5,
  link: 'https://go.example.com/qr/menu',
  scans: 3,
  name: 'Menu',
  date: '2027-01-15 12:00:00',
  type: 'event',
  dynamic: true,
  target: 'Fair',
  revision: 2,
  alias: 'menu',
  domain: 'https://go.example.com',
  data: { title: 'Fair', start: '2027-05-01 10:00:00', end: null, location: 'Hall' },
  encoded: 'https://go.example.com/qr/menu',
  lastscan: null,
  days: [],
  foreground: '#000000',
  background: 'transparent',
  gradient: { type: 'linear', from: '#111111', to: '#222222', angle: 90 },
  modules: 'dots',
  eyes: 'circle',
  pupils: 'leaf',
  eyecolor: '#333333',
  pupilcolor: null,
  logo: null,
  logosize: 20,
  frame: 'top',
  caption: 'Come',
  framecolor: null,
  captioncolor: null,
  correction: 'Q',
  margin: 6,
};

const filled = (changes: Partial<QrFormState>, data: Partial<QrFormState['data']> = {}): QrFormState => {
  const empty = emptyQrForm();
  return { ...empty, ...changes, data: { ...empty.data, ...data } };
};

describe('the form of a QR code', () => {
  test('sends nothing if nothing was changed', () => {
    expect(qrChangeOf(formOfQr(stored), formOfQr(stored))).toEqual({});
  });

  test('sends only what was changed, and null for what was reset', () => {
    const before = formOfQr(stored);
    expect(qrChangeOf({ ...before, modules: 'leaf', ownEyes: false, caption: '' }, before)).toEqual({
      modules: 'leaf',
      eyecolor: null,
      caption: null,
    });
    expect(qrChangeOf({ ...before, coloring: 'plain', transparent: false }, before)).toEqual({
      gradient: null,
      background: '#FFFFFF',
    });
  });

  test('sends the whole content, with its type', () => {
    const before = formOfQr(stored);
    const form = { ...before, data: { ...before.data, location: '' } };
    expect(qrChangeOf(form, before)).toEqual({
      type: 'event',
      data: { title: 'Fair', start: '2027-05-01 10:00' },
    });
  });

  test('keeps input for other content types, without sending it', () => {
    const form = filled({ type: 'phone' }, { url: 'https://example.com/', phone: '0123', title: 'Fair' });
    expect(newQrOf(form)).toMatchObject({ type: 'phone', data: { phone: '0123' } });
  });

  test.each(qrTypes)('shows a valid sample while a %s is incomplete', (type) => {
    const form = filled({ type });
    expect(isFilledIn(form)).toBe(false);
    const { data } = previewBodyOf(form, undefined);
    expect(qrContents[type].safeParse(data).success).toBe(true);
  });

  test('shows the input as soon as it is complete', () => {
    const form = filled({ type: 'wifi' }, { ssid: 'Net', password: 'secret-123' });
    expect(previewBodyOf(form, 5)).toMatchObject({ id: 5, data: { ssid: 'Net', password: 'secret-123' } });
    expect(isFilledIn(filled({ type: 'wifi' }, { ssid: 'Net' }))).toBe(false);
    expect(isFilledIn(filled({ type: 'wifi' }, { ssid: 'Net', encryption: 'nopass' }))).toBe(true);
  });

  test('accepts a decimal comma in coordinates', () => {
    const form = filled({ type: 'geo' }, { latitude: '52,5', longitude: '13.4' });
    expect(newQrOf(form).data).toEqual({ latitude: 52.5, longitude: 13.4 });
  });

  test('is what the contract accepts', () => {
    expect(newQr.safeParse(newQrOf(filled({}, { url: 'https://example.com/' }))).success).toBe(true);
    expect(newQr.safeParse(newQrOf(formOfQr(stored))).success).toBe(true);
  });
});
