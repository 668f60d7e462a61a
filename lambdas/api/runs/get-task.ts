import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { findTask } from './find-run';
import { readTasks, taskDetailView } from './task-view';

/** 200 with one task of a run and its attempts. */
export async function getTask(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { task, ...found } = await findTask(request, deps);
  const tasks = await readTasks(found, [task.index], deps);
  return { status: 200, body: taskDetailView(tasks, task.index) };
}
