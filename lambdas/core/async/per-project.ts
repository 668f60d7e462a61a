/** Values that are kept. */
const MAX_PROJECTS = 1_000;

/** A value for each project, made when first asked for. The least recently used are forgotten. */
export function perProject<Value>(make: () => Value): (project: string) => Value {
  const projects = new Map<string, { value: Value }>();
  return (project) => {
    const known = projects.get(project) ?? { value: make() };
    projects.delete(project);
    projects.set(project, known); // moves it to the end: the first project is the least recently used
    if (projects.size > MAX_PROJECTS) projects.delete(projects.keys().next().value!);
    return known.value;
  };
}
