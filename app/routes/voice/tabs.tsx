import { TabLinks } from '#app/ui/components/tabs.tsx';
import voiceStyles from './page.css?url';

export const VOICE = '/app/voice';
export const FACTS = `${VOICE}/facts`;
export const QUESTIONS = `${VOICE}/interview`;

/** The menu item that is current on these pages. */
export const VOICE_PARENT = { under: '/app/topics' };

const TABS = [
  { to: VOICE, label: 'Voice' },
  { to: FACTS, label: 'Facts' },
  { to: QUESTIONS, label: 'Questions' },
];

export const VoiceTabs = ({ current }: { current: string }) => (
  <>
    <link rel="stylesheet" href={voiceStyles} precedence="view" />
    <TabLinks label="Your voice" tabs={TABS.map((tab) => ({ ...tab, isCurrent: tab.to === current }))} />
  </>
);
