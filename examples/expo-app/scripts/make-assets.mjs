// Draws the app's pictures into assets/. They are committed, so run this only to change them.
// Each shape is a function of a point in the unit square that returns a colour or null.
import { mkdirSync, writeFileSync } from 'node:fs';
import { crc32, deflateSync } from 'node:zlib';

const folder = new URL('../assets/', import.meta.url);
const samples = 3;

const navy = [15, 42, 61];
const sky = [64, 156, 201];
const pale = [198, 226, 240];
const white = [255, 255, 255];
const coral = [240, 112, 88];
const sun = [250, 200, 80];

// Three gusts of wind: bands along a sine, each shorter than the band above it.
function gusts(x, y, colour) {
  for (const [i, length] of [0.8, 0.62, 0.44].entries()) {
    const middle = 0.32 + i * 0.18 + 0.04 * Math.sin(x * 9 + i);
    if (x > 0.14 && x < 0.14 + length && Math.abs(y - middle) < 0.045) {
      return colour;
    }
  }
  return null;
}

// Tells on which side of the line from a to b a point is, by the sign of the result.
const side = ([ax, ay], [bx, by], x, y) => (bx - ax) * (y - ay) - (by - ay) * (x - ax);

function inside(corners, x, y) {
  const sides = corners.map((corner, i) => side(corner, corners[(i + 1) % corners.length], x, y));
  return sides.every((s) => s >= 0) || sides.every((s) => s <= 0);
}

const icon = (x, y) => gusts(x, y, white) ?? (x + y < 1.1 ? navy : sky);
const logo = (x, y) => (Math.hypot(x - 0.5, y - 0.5) > 0.49 ? null : (gusts(x, y, white) ?? navy));
const backdrop = (x, y) => (Math.abs(y - 0.5 - 0.12 * Math.sin(x * 2 * Math.PI)) < 0.03 ? pale : null);

function kite(x, y) {
  if (inside([[0.5, 0.05], [0.85, 0.4], [0.5, 0.75], [0.15, 0.4]], x, y)) {
    return (x < 0.5) === (y < 0.4) ? coral : sun;
  }
  return y > 0.75 && Math.abs(x - 0.5 - 0.06 * Math.sin(y * 40)) < 0.02 ? navy : null;
}

function plane(x, y) {
  if (inside([[0.95, 0.1], [0.42, 0.6], [0.05, 0.42]], x, y)) {
    return sky;
  }
  return inside([[0.95, 0.1], [0.42, 0.6], [0.5, 0.92]], x, y) ? navy : null;
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE(crc32(body), body.length + 4);
  return out;
}

function png(size, shape) {
  const rows = Buffer.alloc(size * (size * 4 + 1));
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) {
      rows.set(pixel(size, shape, column, row), row * (size * 4 + 1) + 1 + column * 4);
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 6], 8); // 8 bits per channel, RGBA
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

// Averages a few samples, so that edges are smooth.
function pixel(size, shape, column, row) {
  const sum = [0, 0, 0];
  let covered = 0;
  for (let i = 0; i < samples * samples; i += 1) {
    const x = (column + ((i % samples) + 0.5) / samples) / size;
    const y = (row + (Math.floor(i / samples) + 0.5) / samples) / size;
    const colour = shape(x, y);
    if (colour) {
      colour.forEach((channel, at) => (sum[at] += channel));
      covered += 1;
    }
  }
  if (covered === 0) {
    return [0, 0, 0, 0];
  }
  return [...sum.map((channel) => Math.round(channel / covered)), Math.round((255 * covered) / samples ** 2)];
}

const pictures = [
  ['icon.png', 1024, icon],
  ['logo.png', 64, logo],
  ['logo@2x.png', 128, logo],
  ['logo@3x.png', 192, logo],
  ['backdrop.png', 96, backdrop],
  ['kite.png', 144, kite],
  ['plane.png', 144, plane],
];

mkdirSync(folder, { recursive: true });
for (const [name, size, shape] of pictures) {
  writeFileSync(new URL(name, folder), png(size, shape));
}
