/*
 * Parses the User-Agent header into families of devices, browsers and systems. Results are cached, since most visits have
 * one of a few hundred headers. Parsing new ones is limited by the caller, because a client can send any text.
 */
import Bowser from 'bowser';
import { isbot } from 'isbot';

export type Agent = { device: string; browser: string; system: string };

const LENGTH_MAX = 300;
const CACHE_MAX = 2_000;
const OTHER = 'Other';
const UNPARSED: Agent = { device: OTHER, browser: OTHER, system: OTHER };

const DEVICES: Record<string, string> = { desktop: 'Desktop', mobile: 'Mobile', tablet: 'Tablet', tv: 'TV' };
const BROWSERS: Record<string, string> = {
  Chrome: 'Chrome',
  Chromium: 'Chrome',
  Firefox: 'Firefox',
  Safari: 'Safari',
  Opera: 'Opera',
  'Microsoft Edge': 'Edge',
  'Internet Explorer': 'Internet Explorer',
  Vivaldi: 'Vivaldi',
  'Samsung Internet for Android': 'Samsung Internet',
  'Android Browser': 'Android Browser',
  'Yandex Browser': 'Yandex',
  'UC Browser': 'UC Browser',
  WeChat: 'WeChat',
  DuckDuckGo: 'DuckDuckGo',
};
const SYSTEMS: Record<string, string> = {
  Windows: 'Windows',
  macOS: 'macOS',
  iOS: 'iOS',
  Android: 'Android',
  Linux: 'Linux',
  'Chrome OS': 'Chrome OS',
};

const familyOf = (families: Record<string, string>, name = '') =>
  Object.hasOwn(families, name) ? families[name]! : OTHER;

function parse(userAgent: string): Agent | undefined {
  if (!userAgent.trim() || isbot(userAgent)) return undefined;
  const { browser, os, platform } = Bowser.parse(userAgent);
  return {
    device: familyOf(DEVICES, platform.type),
    browser: familyOf(BROWSERS, browser.name),
    system: familyOf(SYSTEMS, os.name),
  };
}

const cache = new Map<string, Agent | undefined>();

/**
 * Returns undefined for a robot.
 *
 * @param budget How many headers that are not cached may still be parsed; without it there is no limit.
 */
export function agentOf(userAgent: string, budget?: { left: number }): Agent | undefined {
  const text = userAgent.slice(0, LENGTH_MAX);
  if (cache.has(text)) return cache.get(text);
  if (budget && --budget.left < 0) return UNPARSED;
  if (cache.size >= CACHE_MAX) cache.clear();
  const agent = parse(text);
  cache.set(text, agent);
  return agent;
}
