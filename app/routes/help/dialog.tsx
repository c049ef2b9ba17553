import type { SubmissionResult } from '@conform-to/react';
import { Link, useFetcher, useLocation } from 'react-router';
import { RESPONSE_HOURS } from '#app/domain/support/limits.ts';
import feedbackStyles from '#app/routes/feedback/form.css?url';
import { FeedbackForm } from '#app/routes/feedback/form.tsx';
import type { FeedbackResult } from '#app/routes/feedback/save.ts';
import { Dialog } from '#app/ui/components/dialog.tsx';
import { TabLinks } from '#app/ui/components/tabs.tsx';
import { type HelpUser, SupportForm } from './support-form.tsx';

export function HelpDialog({ asker }: { asker: HelpUser }) {
  const { pathname, search } = useLocation();
  const query = new URLSearchParams(search);
  const isFeedback = asker !== null && query.get('help') === 'feedback';
  const tabUrl = (tab: string) => {
    query.set('help', tab);
    return { pathname, search: String(query) };
  };
  const [supportUrl, feedbackUrl] = [tabUrl('support'), tabUrl('feedback')];
  query.delete('help');
  const rest = String(query);
  const back = rest ? `${pathname}?${rest}` : pathname;
  return (
    <Dialog title="Help and Support" closeTo={back}>
      {asker && (
        <TabLinks
          label="Help"
          className="mt-4"
          tabs={[
            { to: supportUrl, label: 'Get Support', isCurrent: !isFeedback },
            { to: feedbackUrl, label: 'Give Feedback', isCurrent: isFeedback },
          ]}
        />
      )}
      {isFeedback ? <FeedbackTab back={back} /> : <SupportTab asker={asker} back={back} />}
    </Dialog>
  );
}

/** A refused request stays in the dialog; an accepted one leads back to the page below. */
function SupportTab({ asker, back }: { asker: HelpUser; back: string }) {
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

function FeedbackTab({ back }: { back: string }) {
  const key = 'feedback';
  const { state, data } = useFetcher<FeedbackResult>({ key });
  return (
    <>
      <link rel="stylesheet" href={feedbackStyles} precedence="view" />
      <p className="mt-3 text-ink-2 text-pretty">
        It stands on the board, where others can vote for it.{' '}
        <Link to="/app/feedback" className="link">
          Look at the board
        </Link>
      </p>
      <FeedbackForm sent={data} back={back} fetcherKey={key} isBusy={state !== 'idle'} />
    </>
  );
}
