import { type MetaDescriptor, redirect } from 'react-router';
import { viewerContext } from '#app/context.ts';
import { db } from '#app/db/client.ts';
import { FREE_POSTS_A_MONTH } from '#app/domain/writing/limits.ts';
import { absoluteUrl } from '#app/http/public-site.ts';
import { sharePage } from '#app/http/server/page-cache.ts';
import { likelyCurrency } from '#app/http/telemetry/visitor-currency.ts';
import { Benefits } from '#app/routes/landing/sections/benefits.tsx';
import { Closing, QUESTIONS, Questions } from '#app/routes/landing/sections/closing.tsx';
import { Features } from '#app/routes/landing/sections/features.tsx';
import { Hero } from '#app/routes/landing/sections/hero.tsx';
import { PriceGauges } from '#app/routes/landing/sections/pricing.tsx';
import { Audience, Facts, HowItWorks } from '#app/routes/landing/sections/story.tsx';
import { TopPosts } from '#app/routes/landing/sections/top-posts.tsx';
import { canonicalLink } from '#app/ui/layout/meta.ts';
import { spellNumberFirst } from '#app/ui/text.ts';
import type { Route } from './+types/page.ts';
import { SiteFooter, SiteHeader } from './header-footer.tsx';
import { loadLanding } from './load.ts';

const TITLE = 'Tidepost: LinkedIn posts, as regular as the tide';
const DESCRIPTION = `Tidepost writes LinkedIn posts on your topics and publishes them at the times you choose. Read, edit or delete each one before it goes out. ${spellNumberFirst(FREE_POSTS_A_MONTH)} posts a month are free.`;

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: TITLE },
  { name: 'description', content: DESCRIPTION },
  ...canonicalLink(loaderData?.address),
  ...(loaderData ? structuredData(loaderData, { title: TITLE, description: DESCRIPTION }) : []),
];

/** Sent without scripts, except the carousel's module. */
export const handle = { isStatic: true };

export const headers: Route.HeadersFunction = () => ({ Vary: 'Accept-Language' });

export async function loader({ context, request }: Route.LoaderArgs) {
  sharePage(request, context);
  const viewer = context.get(viewerContext);
  const { searchParams } = new URL(request.url);
  if (searchParams.has('help')) throw redirect('/help#support');
  const chosen = searchParams.get('currency');
  const currency = chosen ?? likelyCurrency(request.headers.get('Accept-Language'));
  const landing = await loadLanding(db(), currency);
  return { viewer: viewer && { isAdmin: viewer.actor.isAdmin }, address: absoluteUrl('/'), ...landing };
}

export default function Landing({ loaderData }: Route.ComponentProps) {
  const { viewer, promoPercent, prices, topPosts, published } = loaderData;
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
        <PriceGauges {...loaderData} isSignedIn={isSignedIn} />
        <Questions />
        <Closing isSignedIn={isSignedIn} />
      </main>
      <SiteFooter isSignedIn={isSignedIn} hasPrices={prices.length > 0} />
    </div>
  );
}

const SHARE_IMAGE = '/og-image.png';

type OfferData = {
  address: string;
  forMachines: { currencyCode: string | null; amounts: number[] };
};
type PageTexts = { title: string; description: string };

const SCHEMA = 'https://schema.org';

function offersOf({ currencyCode, amounts }: OfferData['forMachines']) {
  return {
    '@type': 'AggregateOffer',
    priceCurrency: currencyCode,
    lowPrice: Math.min(...amounts),
    highPrice: Math.max(...amounts),
    offerCount: amounts.length,
  };
}

function product(offered: OfferData, { description }: PageTexts) {
  return {
    '@context': SCHEMA,
    '@type': 'SoftwareApplication',
    name: 'Tidepost',
    applicationCategory: 'BusinessApplication',
    operatingSystem: 'Web',
    url: offered.address,
    description,
    ...(offered.forMachines.amounts.length > 0 && { offers: offersOf(offered.forMachines) }),
  };
}

const questions = {
  '@context': SCHEMA,
  '@type': 'FAQPage',
  mainEntity: QUESTIONS.map(({ question, answer }) => ({
    '@type': 'Question',
    name: question,
    acceptedAnswer: { '@type': 'Answer', text: answer },
  })),
};

/** Metadata for search engines and link previews: schema.org and the Open Graph protocol. */
function structuredData(offered: OfferData, texts: PageTexts): MetaDescriptor[] {
  return [
    { property: 'og:type', content: 'website' },
    { property: 'og:site_name', content: 'Tidepost' },
    { property: 'og:title', content: texts.title },
    { property: 'og:description', content: texts.description },
    { property: 'og:url', content: offered.address },
    { property: 'og:image', content: new URL(SHARE_IMAGE, offered.address).href },
    { property: 'og:image:width', content: '1200' },
    { property: 'og:image:height', content: '630' },
    { property: 'og:image:alt', content: 'Tidepost: on LinkedIn, as regular as the tide' },
    { name: 'twitter:card', content: 'summary_large_image' },
    { 'script:ld+json': product(offered, texts) },
    { 'script:ld+json': questions },
  ];
}
