import type { RouterContextProvider } from 'react-router';
import { viewerContext } from '#app/context.ts';
import { db } from '#app/db/client.ts';
import { getOffer } from '#app/domain/payments/prices.ts';
import { seller } from '#app/domain/payments/receipt.ts';
import { absoluteUrl } from '#app/http/public-site.ts';

export async function loadLegal(context: Readonly<RouterContextProvider>, path: string) {
  const { prices } = await getOffer(db());
  return {
    isSignedIn: context.get(viewerContext) !== null,
    hasPrices: prices.length > 0,
    seller: seller(),
    address: absoluteUrl(path),
  };
}

export type LegalData = Awaited<ReturnType<typeof loadLegal>>;
