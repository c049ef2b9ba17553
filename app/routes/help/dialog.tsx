import type { SubmissionResult } from '@conform-to/react';
import type { ReactNode } from 'react';
import { Link, useFetcher, useLocation } from 'react-router';
import { RESPONSE_HOURS } from '#app/domain/support/limits.ts';
import feedbackStyles from '#app/routes/feedback/form.css?url';
import { FeedbackForm } from '#app/routes/feedback/form.tsx';
import type { Answered } from '#app/routes/feedback/save.ts';
import { Dialog } from '#app/ui/components/dialog.tsx';
import { TabLinks } from '#app/ui/components/tabs.tsx';
import { type CodeRequester, SupportForm } from './support-form.tsx';

type TabProps = { asker: CodeRequester; back: string };
type HelpTab = {
  label: string;
  isFor: (asker: CodeRequester) => boolean;
  show: (props: TabProps) => ReactNode;
};

/** What help has, each by the word that the address says. */
const TABS: Record<string, HelpTab> = {
  support: { label: 'Get Support', isFor: () => true, show: (props) => <SupportTab {...props} /> },
  feedback: {
    label: 'Give Feedback',
    isFor: (asker) => asker !== null,
    show: (props) => <FeedbackTab {...props} />,
  },
};

/** Help, above the page that its reader is at. Closing it forgets what was typed. */
export function HelpDialog({ asker }: { asker: CodeRequester }) {
  const { pathname, search } = useLocation();
  const asked = new URLSearchParams(search);
  const open = asked.get('help') ?? '';
  const tabs = Object.entries(TABS).filter(([, { isFor }]) => isFor(asker));
  const [name, tab] = tabs.find(([each]) => each === open) ?? tabs[0]!;
  const withHelp = (value: string) => {
    const other = new URLSearchParams(asked);
    if (value) other.set('help', value);
    else other.delete('help');
    return { pathname, search: String(other) };
  };
  const { search: rest } = withHelp('');
  return (
    <Dialog title="Help and Support" closeTo={withHelp('')}>
      {tabs.length > 1 && (
        <TabLinks
          label="Help"
          className="mt-4"
          tabs={tabs.map(([each, { label }]) => ({ to: withHelp(each), label, isCurrent: each === name }))}
        />
      )}
      {tab.show({ asker, back: rest ? `${pathname}?${rest}` : pathname })}
    </Dialog>
  );
}

/** What was refused stays in the dialog; what is taken in leads back to the page below it. */
function SupportTab({ asker, back }: TabProps) {
  const key = 'support';
  const { state, data } = useFetcher<SubmissionResult<string[]>>({ key });
  return (
    <>
      <p className="mt-3 text-ink-2 text-pretty">
        Support is there 24/7, and we reply by mail within {RESPONSE_HOURS} hours.{' '}
        <a href="/help" className="link">
          Find an answer
        </a>
        {asker && (
          <>
            {' · '}
            <Link to="/app/support" className="link">
              Your requests
            </Link>
          </>
        )}
      </p>
      <div className="mt-4">
        <SupportForm asker={asker} back={back} result={data} fetcherKey={key} isBusy={state !== 'idle'} />
      </div>
    </>
  );
}

function FeedbackTab({ back }: TabProps) {
  const key = 'feedback';
  const { state, data } = useFetcher<Answered>({ key });
  return (
    <>
      <link rel="stylesheet" href={feedbackStyles} precedence="view" />
      <p className="mt-3 text-ink-2 text-pretty">
        It stands on the board, where others can vote for it.{' '}
        <Link to="/app/feedback" className="link">
          Look at the board
        </Link>
      </p>
      <FeedbackForm answered={data} back={back} fetcherKey={key} isBusy={state !== 'idle'} />
    </>
  );
}
