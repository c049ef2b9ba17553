import { redirect } from 'react-router';
import { viewerContext } from '#app/context.ts';
import { db } from '#app/db/client.ts';
import { FREE_POSTS_A_MONTH } from '#app/domain/writing/limits.ts';
import { fullAddress } from '#app/http/public-site.ts';
import { sharePage } from '#app/http/server/page-cache.ts';
import { likelyCurrency } from '#app/http/telemetry/visitor-currency.ts';
import { Benefits } from '#app/routes/landing/sections/benefits.tsx';
import { Closing, Questions } from '#app/routes/landing/sections/closing.tsx';
import { Features } from '#app/routes/landing/sections/features.tsx';
import { Hero } from '#app/routes/landing/sections/hero.tsx';
import { PriceGauges } from '#app/routes/landing/sections/pricing.tsx';
import { Audience, Facts, HowItWorks } from '#app/routes/landing/sections/story.tsx';
import { TopPosts } from '#app/routes/landing/sections/top-posts.tsx';
import { knownAs } from '#app/ui/layout/canonical.ts';
import { inWordsFirst } from '#app/ui/text.ts';
import type { Route } from './+types/page.ts';
import { SiteFooter, SiteHeader } from './header-footer.tsx';
import { loadLanding } from './load.ts';
import { describeForMachines } from './structured-data.ts';

const TITLE = 'Tidepost: LinkedIn posts, as regular as the tide';
const DESCRIPTION = `Tidepost writes LinkedIn posts on your topics and publishes them at the times you choose. Read, edit or delete each one before it goes out. ${inWordsFirst(FREE_POSTS_A_MONTH)} posts a month are free.`;

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: TITLE },
  { name: 'description', content: DESCRIPTION },
  ...knownAs(loaderData?.address),
  ...(loaderData ? describeForMachines(loaderData, { title: TITLE, description: DESCRIPTION }) : []),
];

/** Nothing here needs scripts, so none are sent but the module that moves the posts. */
export const handle = { isStatic: true };

export const headers: Route.HeadersFunction = () => ({ Vary: 'Accept-Language' });

export async function loader({ context, request }: Route.LoaderArgs) {
  sharePage(request, context);
  const viewer = context.get(viewerContext);
  const { searchParams } = new URL(request.url);
  if (searchParams.has('help')) throw redirect('/help#support');
  const chosen = searchParams.get('currency');
  const wanted = chosen ?? likelyCurrency(request.headers.get('Accept-Language'));
  const landing = await loadLanding(db(), wanted);
  return { viewer: viewer && { isAdmin: viewer.actor.isAdmin }, address: fullAddress('/'), ...landing };
}

export default function Landing({ loaderData }: Route.ComponentProps) {
  const { viewer, promoPercent, prices, currencies, currencyCode, topPosts, published } = loaderData;
  const isSignedIn = viewer !== null;
  return (
    <div className="landing">
      <a href="#main" className="skip-link">
        Skip to content
      </a>
      <SiteHeader isSignedIn={isSignedIn} promoPercent={promoPercent} hasPrices={prices.length > 0} />
      <main id="main">
        <Hero isSignedIn={isSignedIn} />
        <Facts published={published} />
        <TopPosts posts={topPosts} />
        <HowItWorks />
        <Features />
        <Audience />
        <Benefits />
        <PriceGauges
          prices={prices}
          promoPercent={promoPercent}
          isSignedIn={isSignedIn}
          currencies={currencies}
          currencyCode={currencyCode}
        />
        <Questions />
        <Closing isSignedIn={isSignedIn} />
      </main>
      <SiteFooter isSignedIn={isSignedIn} hasPrices={prices.length > 0} />
    </div>
  );
}
