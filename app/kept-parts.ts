import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { StaticRouter } from 'react-router';
import type { MarkupOf } from './ui/kept-markup.ts';

/** Of one part. What parts are given takes few values; this is for the day on which one does not. */
const MOST_KEPT = 500;
/** By part, and by what it was given. */
const kept = new Map<unknown, Map<string, string>>();

/** The markup of a part that is the same for all who are given the same: it is rendered for the first of them. */
export const keptMarkupOf: MarkupOf = (Part, given) => {
  const key = Object.values(given).join();
  const ofPart = kept.get(Part) ?? new Map<string, string>();
  const known = ofPart.get(key);
  if (known !== undefined) return known;
  const markup = renderToString(createElement(StaticRouter, { location: '/' }, createElement(Part, given)));
  if (ofPart.size >= MOST_KEPT) ofPart.clear();
  // As one piece, and not the thousands that React has put together.
  const whole = Buffer.from(markup).toString();
  kept.set(Part, ofPart.set(key, whole));
  return whole;
};
