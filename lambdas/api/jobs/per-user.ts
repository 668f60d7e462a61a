const MAX_USERS = 1_000;

/** A value for each user, made at first use. Forgets the least recently used beyond `MAX_USERS`. */
export function perUser<Value>(make: () => Value): (userId: string) => Value {
  const users = new Map<string, { value: Value }>();
  return (userId) => {
    const known = users.get(userId) ?? { value: make() };
    users.delete(userId);
    users.set(userId, known); // moves it to the end: the first user is the least recently used
    if (users.size > MAX_USERS) users.delete(users.keys().next().value!);
    return known.value;
  };
}
