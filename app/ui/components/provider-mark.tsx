type Provider = 'google' | 'linkedin';

const PATHS: Record<Provider, { fill: string; d: string }[]> = {
  google: [
    {
      fill: '#4285f4',
      d: 'M23 12.3c0-.8-.1-1.6-.2-2.3H12v4.5h6.2a5.3 5.3 0 0 1-2.3 3.4v2.9h3.7c2.2-2 3.4-5 3.4-8.5z',
    },
    {
      fill: '#34a853',
      d: 'M12 23.5c3.1 0 5.7-1 7.6-2.8l-3.7-2.9c-1 .7-2.3 1.1-3.9 1.1-3 0-5.5-2-6.4-4.8H1.8v3A11.5 11.5 0 0 0 12 23.5z',
    },
    { fill: '#fbbc05', d: 'M5.6 14.1a6.9 6.9 0 0 1 0-4.3v-3H1.8a11.5 11.5 0 0 0 0 10.3z' },
    { fill: '#ea4335', d: 'M12 5c1.7 0 3.2.6 4.4 1.7l3.3-3.3A11.5 11.5 0 0 0 1.8 6.8l3.8 3C6.5 7 9 5 12 5z' },
  ],
  linkedin: [
    {
      fill: '#0a66c2',
      d: 'M20.5 2h-17A1.5 1.5 0 0 0 2 3.5v17A1.5 1.5 0 0 0 3.5 22h17a1.5 1.5 0 0 0 1.5-1.5v-17A1.5 1.5 0 0 0 20.5 2zM8 19H5V9.5h3zM6.5 8.2a1.7 1.7 0 1 1 0-3.4 1.7 1.7 0 0 1 0 3.4zM19 19h-3v-4.7c0-1.4-.5-2-1.4-2-1.1 0-1.6.8-1.6 2.2V19h-3V9.5h2.9v1.3a3.2 3.2 0 0 1 2.9-1.5c1.9 0 3.2 1.2 3.2 3.7z',
    },
  ],
};

export const ProviderMark = ({ provider }: { provider: Provider }) => (
  <svg aria-hidden="true" viewBox="0 0 24 24" width="18" height="18" className="shrink-0">
    {PATHS[provider].map(({ fill, d }) => (
      <path key={fill} fill={fill} d={d} />
    ))}
  </svg>
);
