import type { MetaDescriptor } from 'react-router';
import { QUESTIONS } from '#app/routes/landing/sections/closing.tsx';

const PICTURE = '/og-image.png';

type Offered = {
  address: string;
  forMachines: { currencyCode: string | null; amounts: number[] };
};
type Words = { title: string; description: string };

const SCHEMA = 'https://schema.org';

/** The plans as one offer, from the cheapest to the dearest month. */
function offersOf({ currencyCode, amounts }: Offered['forMachines']) {
  return {
    '@type': 'AggregateOffer',
    priceCurrency: currencyCode,
    lowPrice: Math.min(...amounts),
    highPrice: Math.max(...amounts),
    offerCount: amounts.length,
  };
}

function product(offered: Offered, { description }: Words) {
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

/** What search engines, and whoever shows a link to the page, read of it: schema.org, and the Open Graph protocol. */
export function describeForMachines(offered: Offered, words: Words): MetaDescriptor[] {
  return [
    { property: 'og:type', content: 'website' },
    { property: 'og:site_name', content: 'Tidepost' },
    { property: 'og:title', content: words.title },
    { property: 'og:description', content: words.description },
    { property: 'og:url', content: offered.address },
    { property: 'og:image', content: new URL(PICTURE, offered.address).href },
    { property: 'og:image:width', content: '1200' },
    { property: 'og:image:height', content: '630' },
    { property: 'og:image:alt', content: 'Tidepost: on LinkedIn, as regular as the tide' },
    { name: 'twitter:card', content: 'summary_large_image' },
    { 'script:ld+json': product(offered, words) },
    { 'script:ld+json': questions },
  ];
}
