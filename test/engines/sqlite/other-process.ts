import { addUser } from '../../core/storage/conformance/samples.ts';
import { openSqlite } from '../../service/stores.ts';

/** Another process on a data folder: adds users, one unit after another. Arguments: folder, prefix, how many. */
const [folder = '', prefix = '', many = '0'] = process.argv.slice(2);
const store = openSqlite(folder);
for (let n = 0; n < Number(many); n++) await addUser(store, `${prefix} ${n}`);
await store.close();
