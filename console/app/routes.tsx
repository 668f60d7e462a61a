import { useEffect } from 'preact/hooks';
import { Route, Switch, useLocation, useSearch } from 'wouter-preact';

import { Title } from '../parts/card';
import { loadWords } from '../planning/words';
import { Go } from './go';
import { later } from './page';
import { place } from './place';
import { remember } from './recent';
import { scheduleZone } from './zone';

const PAGE_PX = 480;

const Today = later(async () => (await import('../pages/today/today')).default, PAGE_PX);
const Jobs = later(async () => (await import('../pages/jobs/jobs')).default, PAGE_PX);
const NewJob = later(async () => (await import('../pages/jobs/new-job')).default, PAGE_PX);
const Job = later(async () => {
  const [page] = await Promise.all([import('../pages/job/job'), loadWords()]);
  return page.default;
}, PAGE_PX);
const Execution = later(async () => (await import('../pages/execution/execution')).default, PAGE_PX);
const Executions = later(async () => (await import('../pages/executions/executions')).default, PAGE_PX);
const failurePages = () => import('../pages/failures/failures-and-cause');
const Failures = later(async () => (await failurePages()).Failures, PAGE_PX);
const Cause = later(async () => (await failurePages()).Cause, PAGE_PX);
const Workflows = later(async () => (await import('../pages/workflows/workflows')).default, PAGE_PX);
const Workflow = later(async () => (await import('../pages/workflows/workflow')).default, PAGE_PX);
const Backfills = later(async () => (await import('../pages/backfills/backfills')).default, PAGE_PX);
const OrderingKeys = later(
  async () => (await import('../pages/ordering-keys/ordering-keys')).default,
  PAGE_PX,
);
const ConcurrencyKeys = later(
  async () => (await import('../pages/concurrency-keys/concurrency-keys')).default,
  PAGE_PX,
);
const Queues = later(async () => (await import('../pages/queues/queues')).default, PAGE_PX);
const calendarPages = () => import('../pages/calendars/pages');
const Calendars = later(async () => (await calendarPages()).Calendars, PAGE_PX);
const NewCalendar = later(async () => (await calendarPages()).NewCalendar, PAGE_PX);
const Calendar = later(async () => (await calendarPages()).Calendar, PAGE_PX);
const Settings = later(async () => (await import('../pages/settings/settings')).default, PAGE_PX);
const Deployment = later(async () => (await import('../pages/deployment/deployment')).default, PAGE_PX);

/** A page is loaded when it is opened for the first time. */
export const Pages = () => (
  <>
    <Moved />
    <Switch>
      <Route path="/">{() => <Today />}</Route>
      <Route path="/jobs">{() => <Jobs />}</Route>
      <Route path="/jobs/~new">{() => <NewJob />}</Route>
      <Route path="/jobs/:jobId/executions/:execId">
        {({ jobId, execId }) => <Execution key={`${jobId}/${execId}`} jobId={jobId} execId={execId} />}
      </Route>
      <Route path="/jobs/:jobId/:tab?">
        {({ jobId, tab }) => <Job key={jobId} jobId={jobId} tab={tab ?? ''} />}
      </Route>
      <Route path="/executions">{() => <Executions />}</Route>
      <Route path="/failures">{() => <Failures />}</Route>
      <Route path="/failures/cause">{() => <Cause />}</Route>
      <Route path="/workflows">{() => <Workflows />}</Route>
      <Route path="/workflows/:jobId">{({ jobId }) => <Workflow key={jobId} jobId={jobId} />}</Route>
      <Route path="/backfills">{() => <Backfills />}</Route>
      <Route path="/ordering-keys">{() => <OrderingKeys />}</Route>
      <Route path="/concurrency-keys">{() => <ConcurrencyKeys />}</Route>
      <Route path="/queues">{() => <Queues />}</Route>
      <Route path="/calendars">{() => <Calendars />}</Route>
      <Route path="/calendars/~new">{() => <NewCalendar />}</Route>
      <Route path="/calendars/:calendarId">
        {({ calendarId }) => <Calendar key={calendarId} calendarId={calendarId} />}
      </Route>
      <Route path="/settings/:section?">{({ section }) => <Settings section={section ?? ''} />}</Route>
      <Route path="/deployment">{() => <Deployment />}</Route>
      <Route>{() => <Missing />}</Route>
    </Switch>
  </>
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
    place.value = undefined;
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
