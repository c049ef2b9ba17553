import { viewerContext } from '#app/context.ts';
import { db } from '#app/db/client.ts';
import { getOffer } from '#app/domain/payments/prices.ts';
import { FREE_POSTS_A_MONTH } from '#app/domain/writing/limits.ts';
import { inWordsFirst } from '#app/ui/in-words.ts';
import type { Route } from './+types/landing.ts';
import { Closing, Questions } from './closing.tsx';
import { Features } from './features.tsx';
import { Hero } from './hero.tsx';
import { type Price, PriceGauges } from './price-gauges.tsx';
import { SiteFooter, SiteHeader } from './site-frame.tsx';
import { Audience, Facts, HowItWorks } from './story.tsx';

export const meta: Route.MetaFunction = () => [
  { title: 'Tidepost: LinkedIn posts, as regular as the tide' },
  {
    name: 'description',
    content: `Tidepost writes LinkedIn posts on your topics and publishes them at the times you choose. Read, edit or delete each one before it goes out. ${inWordsFirst(FREE_POSTS_A_MONTH)} posts a month are free.`,
  },
];

/** Nothing here needs scripts, so none are sent. */
export const handle = { isStatic: true };

type LandingData = {
  viewer: { isAdmin: boolean } | null;
  promoPercent: number;
  prices: Price[];
};

export async function loader({ context }: Route.LoaderArgs): Promise<LandingData> {
  const viewer = context.get(viewerContext);
  return { viewer: viewer && { isAdmin: viewer.actor.isAdmin }, ...(await getOffer(db())) };
}

export default function Landing({ loaderData }: Route.ComponentProps) {
  const { viewer, promoPercent, prices } = loaderData;
  const isSignedIn = viewer !== null;
  return (
    <div className="landing">
      <a href="#main" className="skip-link">
        Skip to content
      </a>
      <SiteHeader isSignedIn={isSignedIn} promoPercent={promoPercent} hasPrices={prices.length > 0} />
      <main id="main">
        <Hero isSignedIn={isSignedIn} />
        <Facts />
        <HowItWorks />
        <Features />
        <Audience />
        <PriceGauges prices={prices} promoPercent={promoPercent} isSignedIn={isSignedIn} />
        <Questions />
        <Closing isSignedIn={isSignedIn} />
      </main>
      <SiteFooter isSignedIn={isSignedIn} hasPrices={prices.length > 0} />
    </div>
  );
}
