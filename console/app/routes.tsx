import { Suspense } from 'preact/compat';
import { useEffect } from 'preact/hooks';
import { Route, Switch, useLocation, useSearch } from 'wouter-preact';

import { Title } from '../parts/card';
import { Skeleton } from '../parts/states';
import { Go } from './go';
import { page } from './page';
import { remember } from './recent';
import { scheduleZone } from './zone';

const Today = page(() => import('../pages/today/today'));
const Jobs = page(() => import('../pages/jobs/jobs'));
const NewJob = page(() => import('../pages/jobs/new-job'));
const Job = page(() => import('../pages/job/job'));
const Execution = page(() => import('../pages/execution/execution'));
const Failures = page(() => import('../pages/failures/failures'));
const Workflows = page(() => import('../pages/workflows/workflows'));
const Workflow = page(() => import('../pages/workflows/workflow'));
const OrderingKeys = page(() => import('../pages/ordering-keys/ordering-keys'));
const ConcurrencyKeys = page(() => import('../pages/concurrency-keys/concurrency-keys'));
const Queues = page(() => import('../pages/queues/queues'));
const calendarPages = () => import('../pages/calendars/pages');
const Calendars = page(async () => ({ default: (await calendarPages()).Calendars }));
const NewCalendar = page(async () => ({ default: (await calendarPages()).NewCalendar }));
const Calendar = page(async () => ({ default: (await calendarPages()).Calendar }));
const Settings = page(() => import('../pages/settings/settings'));
const Deployment = page(() => import('../pages/deployment/deployment'));

/** A page is loaded when it is opened for the first time. */
export const Pages = () => (
  <Suspense fallback={<Skeleton height={480} />}>
    <Moved />
    <Switch>
      <Route path="/">{() => <Today />}</Route>
      <Route path="/jobs">{() => <Jobs />}</Route>
      <Route path="/jobs/new">{() => <NewJob />}</Route>
      <Route path="/jobs/:jobId/executions/:execId">
        {({ jobId, execId }) => <Execution key={execId} jobId={jobId} execId={execId} />}
      </Route>
      <Route path="/jobs/:jobId/:tab?">
        {({ jobId, tab }) => <Job key={jobId} jobId={jobId} tab={tab ?? ''} />}
      </Route>
      <Route path="/failures">{() => <Failures />}</Route>
      <Route path="/workflows">{() => <Workflows />}</Route>
      <Route path="/workflows/:jobId">{({ jobId }) => <Workflow key={jobId} jobId={jobId} />}</Route>
      <Route path="/ordering-keys">{() => <OrderingKeys />}</Route>
      <Route path="/concurrency-keys">{() => <ConcurrencyKeys />}</Route>
      <Route path="/queues">{() => <Queues />}</Route>
      <Route path="/calendars">{() => <Calendars />}</Route>
      <Route path="/calendars/new">{() => <NewCalendar />}</Route>
      <Route path="/calendars/:calendarId">
        {({ calendarId }) => <Calendar key={calendarId} calendarId={calendarId} />}
      </Route>
      <Route path="/settings/:section?">{({ section }) => <Settings section={section ?? ''} />}</Route>
      <Route path="/deployment">{() => <Deployment />}</Route>
      <Route>{() => <Missing />}</Route>
    </Switch>
  </Suspense>
);

const Missing = () => (
  <>
    <Title>There is no such page</Title>
    <p>
      <Go to="/">Go to Today</Go>
    </p>
  </>
);

/** After a move to another page, its heading has the focus and the window shows its beginning. */
function Moved() {
  const [path] = useLocation();
  const search = useSearch();
  useEffect(() => {
    scheduleZone.value = undefined;
    if (!hasMoved) {
      hasMoved = true;
      return;
    }
    return whenHeading((heading) => heading.focus({ preventScroll: true }));
  }, [path]);
  useEffect(
    () =>
      whenHeading((heading) => {
        const title = heading.textContent?.trim() ?? '';
        document.title = `${title} · Quarterjack`;
        remember(search ? `${path}?${search}` : path, title);
      }),
    [path, search],
  );
  return null;
}
let hasMoved = false;

/** Calls once the page has its heading, which comes with its data. Returns what stops waiting. */
function whenHeading(then: (heading: HTMLElement) => void): () => void {
  const main = document.getElementById('main')!;
  const present = () => main.querySelector<HTMLElement>('h1');
  let frame = requestAnimationFrame(function check() {
    const heading = present();
    if (heading) then(heading);
    else frame = requestAnimationFrame(check);
  });
  return () => cancelAnimationFrame(frame);
}
