import type { QrStyle } from '../../../contract/qr.ts';
import { type CornerStyle, contours, type IsDark } from './outlines.ts';
import { type Command, type Corners, type Path, roundBox } from './scene.ts';

/** Modules of an eye's edge, and of the light ring and the pupil in it (ISO/IEC 18004, 6.3.3). */
const eye = { outer: 7, inner: 5, pupil: 3 };

const cornerStyles: Partial<Record<QrStyle['modules'], CornerStyle>> = {
  square: { convex: [0, 0, 0, 0], concave: 0 },
  rounded: { convex: [0.5, 0.5, 0.5, 0.5], concave: 0.2 },
  leaf: { convex: [0.5, 0, 0.5, 0], concave: 0 },
};

/** The outlines of all modules but those of the eyes. */
export function modulePath(shape: QrStyle['modules'], size: number, isDark: IsDark): Path {
  const corners = cornerStyles[shape];
  if (corners) return contours(size, isDark, corners);
  if (shape === 'dots')
    return cells(size, isDark, (x, y) =>
      roundBox({ x: x + 0.02, y: y + 0.02, width: 0.96, height: 0.96 }, 0.48),
    );
  return bars(size, isDark, shape === 'vertical');
}

/** Whether a module belongs to one of the three eyes, which are drawn apart. */
export function isInEye(size: number, x: number, y: number): boolean {
  const last = size - eye.outer;
  return (x < eye.outer && (y < eye.outer || y >= last)) || (x >= last && y < eye.outer);
}

/** The rings of the three eyes. */
export function eyePath(shape: QrStyle['eyes'], size: number): Path {
  return eyeCorners(size).flatMap(({ x, y, mirrored }): Command[] => {
    const inset = (eye.outer - eye.inner) / 2;
    return [
      ...roundBox({ x, y, width: eye.outer, height: eye.outer }, radii(shape, eye.outer, mirrored)),
      ...roundBox(
        { x: x + inset, y: y + inset, width: eye.inner, height: eye.inner },
        radii(shape, eye.inner, mirrored),
      ),
    ];
  });
}

/** What is inside the rings. */
export function pupilPath(shape: QrStyle['pupils'], size: number): Path {
  const inset = (eye.outer - eye.pupil) / 2;
  return eyeCorners(size).flatMap(({ x, y, mirrored }) => [
    ...roundBox(
      { x: x + inset, y: y + inset, width: eye.pupil, height: eye.pupil },
      radii(shape, eye.pupil, mirrored),
    ),
  ]);
}

/** Top left corners of the eyes; a leaf points away from the middle of the code. */
function eyeCorners(size: number): { x: number; y: number; mirrored: boolean }[] {
  const far = size - eye.outer;
  return [
    { x: 0, y: 0, mirrored: false },
    { x: far, y: 0, mirrored: true },
    { x: 0, y: far, mirrored: true },
  ];
}

function radii(shape: QrStyle['eyes'], edge: number, mirrored: boolean): number | Corners {
  if (shape === 'square') return 0;
  if (shape === 'circle') return edge / 2;
  if (shape === 'rounded') return edge * 0.28;
  const round = edge * 0.36;
  return mirrored ? [round, 0, round, 0] : [0, round, 0, round];
}

function cells(size: number, isDark: IsDark, draw: (x: number, y: number) => Path): Path {
  const path: Command[] = [];
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) if (isDark(x, y)) path.push(...draw(x, y));
  }
  return path;
}

/** Runs of dark modules of a row or column as one bar with round ends. */
function bars(size: number, isDark: IsDark, vertical: boolean): Path {
  const path: Command[] = [];
  const width = 0.9;
  const gap = (1 - width) / 2;
  for (let line = 0; line < size; line += 1) {
    for (let start = 0; start < size; start += 1) {
      const dark = (at: number) => (vertical ? isDark(line, at) : isDark(at, line));
      if (!dark(start)) continue;
      let end = start;
      while (dark(end + 1)) end += 1;
      const length = end - start + 1 - 2 * gap;
      path.push(
        ...roundBox(
          vertical
            ? { x: line + gap, y: start + gap, width, height: length }
            : { x: start + gap, y: line + gap, width: length, height: width },
          width / 2,
        ),
      );
      start = end;
    }
  }
  return path;
}
