import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { ROOT } from '#tests/architecture-imports.ts';
import { featureOf, NAMES_OF_EVERY_FEATURE } from '#tests/architecture-rules.ts';

const files = globSync('app/**/*.{ts,tsx,css}', { cwd: ROOT })
  .map((file) => file.replaceAll(path.sep, '/'))
  .sort();

const nameOf = (file: string) => path.posix.basename(file).replace(/\.\w+$/, '');

/** A style sheet beside its component is one thing with it. */
const withoutExtension = (file: string) => file.replace(/\.\w+$/, '');

const layerOf = (file: string) => file.split('/')[1]!;

/** Whether files of one name are one feature's, each in another layer. */
function areOneFeature(places: string[]): boolean {
  const features = new Set(places.map(featureOf));
  const layers = new Set(places.map(layerOf));
  return features.size === 1 && !features.has(undefined) && layers.size === places.length;
}

function namesakes(all: string[]): string[] {
  return [...Map.groupBy(all, nameOf)].flatMap(([name, some]) => {
    const places = [...new Set(some.map(withoutExtension))];
    const isFine = places.length === 1 || name in NAMES_OF_EVERY_FEATURE || areOneFeature(places);
    return isFine ? [] : [`${name}: ${places.join(', ')}`];
  });
}

test('no two files have one name and mean different things', () => {
  assert.deepEqual(namesakes(files), []);
});

test('a name that means two things is seen, and one feature in two layers is not taken for it', () => {
  const found = (...some: string[]) => namesakes(some).length > 0;
  assert.ok(found('app/domain/payments/history.ts', 'app/routes/posts/history.tsx'));
  assert.ok(found('app/routes/unknown.ts', 'app/routes/api/v1/unknown.ts'));
  assert.ok(found('app/ui/notice.tsx', 'app/http/notice.ts'));
  assert.ok(!found('app/domain/topics/topics.ts', 'app/routes/topics/topics.tsx'));
  assert.ok(!found('app/integrations/linkedin.ts', 'app/routes/linkedin/linkedin.tsx'));
  assert.ok(!found('app/ui/badge.tsx', 'app/ui/badge.css'));
});

test('each name that every feature may have is used by two at least', () => {
  const names = files.map(nameOf);
  for (const name of Object.keys(NAMES_OF_EVERY_FEATURE)) {
    assert.ok(names.indexOf(name) !== names.lastIndexOf(name), name);
  }
});
