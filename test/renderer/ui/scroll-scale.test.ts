import { describe, expect, test } from 'vitest';
import { scrollScale, tallest } from '../../../renderer/ui/scroll-scale.ts';

describe('the scale of a scrolled list', () => {
  const room = 800;

  test('does not change a list that browsers can display', () => {
    const { isWhole, height, positionOf, topAt } = scrollScale(tallest, room);
    expect([isWhole, height, positionOf(123_456), topAt(4_999_200)]).toEqual([
      true,
      tallest,
      123_456,
      4_999_200,
    ]);
  });

  test('reaches both ends of a taller one, exactly near them and in proportion between them', () => {
    const full = 44_000_000;
    const { isWhole, height, mostTop, positionOf, topAt } = scrollScale(full, room);
    expect([isWhole, height, mostTop]).toEqual([false, tallest, full - room]);
    expect([topAt(0), topAt(50_000), topAt(tallest - room), topAt(tallest - room - 50_000)]).toEqual([
      0,
      50_000,
      full - room,
      full - room - 50_000,
    ]);
    expect(topAt((tallest - room) / 2)).toBeCloseTo((full - room) / 2, 3);
    let last = -1;
    for (let position = 0; position <= tallest - room; position += 10_007) {
      const top = topAt(position);
      expect(top).toBeGreaterThan(last);
      expect(positionOf(top)).toBeCloseTo(position, 3);
      last = top;
    }
  });
});
