"""Names of PHP's own library: what certainly is not of any root."""

from surefoot.syntax.linking.linker import names

CLASSES = names(
    "AppendIterator ArgumentCountError ArithmeticError ArrayAccess ArrayIterator ArrayObject AssertionError Attribute BackedEnum"
    " BadFunctionCallException BadMethodCallException CachingIterator CallbackFilterIterator Closure Collator Countable CURLFile"
    " DateInterval DatePeriod DateTime DateTimeImmutable DateTimeInterface DateTimeZone Directory DirectoryIterator"
    " DivisionByZeroError DOMDocument DOMElement DOMNode DOMNodeList DOMXPath DomainException EmptyIterator Error ErrorException"
    " Exception Fiber FilesystemIterator FilterIterator Generator GlobIterator IntlDateFormatter InfiniteIterator"
    " InvalidArgumentException Iterator IteratorAggregate IteratorIterator JsonException JsonSerializable LengthException LibXMLError"
    " LimitIterator Locale LogicException MessageFormatter MultipleIterator Normalizer NoRewindIterator NumberFormatter"
    " OutOfBoundsException OutOfRangeException OuterIterator OverflowException PDO PDOException PDOStatement Phar RangeException"
    " RecursiveArrayIterator RecursiveDirectoryIterator RecursiveIterator RecursiveIteratorIterator ReflectionClass"
    " ReflectionException ReflectionEnum ReflectionFunction ReflectionMethod ReflectionNamedType ReflectionObject ReflectionParameter"
    " ReflectionProperty ReflectionType RegexIterator RuntimeException SeekableIterator Serializable SimpleXMLElement SoapClient"
    " SplDoublyLinkedList SplFileInfo SplFileObject SplFixedArray SplHeap SplMinHeap SplObjectStorage SplPriorityQueue SplQueue"
    " SplStack SplSubject SplObserver Stringable Throwable Traversable TypeError UnderflowException UnexpectedValueException UnitEnum"
    " UnhandledMatchError ValueError WeakMap WeakReference XMLReader XMLWriter ZipArchive stdClass"
)

CLOSED = names("Closure DateInterval DateTimeZone Generator Fiber WeakMap WeakReference PDOStatement DOMNodeList")
"""Classes that nobody extends."""

THROWN = names("getMessage getCode getPrevious getFile getLine getTrace getTraceAsString __toString")
"""Methods of everything that is thrown."""

FUNCTIONS = names(
    "abs addslashes array_chunk array_column array_combine array_diff array_diff_key array_fill array_fill_keys array_filter"
    " array_flip array_intersect array_intersect_key array_is_list array_key_exists array_key_first array_key_last array_keys"
    " array_map array_merge array_merge_recursive array_pad array_pop array_product array_push array_rand array_reduce array_replace"
    " array_reverse array_search array_shift array_slice array_splice array_sum array_udiff array_unique array_unshift array_values"
    " array_walk array_walk_recursive arsort asort assert base64_decode base64_encode basename bin2hex call_user_func"
    " call_user_func_array ceil chdir checkdate chmod chr class_exists class_implements class_parents clearstatcache compact constant"
    " copy count crc32 ctype_alnum ctype_alpha ctype_digit ctype_lower ctype_space ctype_upper ctype_xdigit curl_close curl_errno"
    " curl_error curl_exec curl_getinfo curl_init curl_setopt curl_setopt_array current date date_default_timezone_get"
    " date_default_timezone_set debug_backtrace define defined dirname end enum_exists error_get_last error_log error_reporting"
    " escapeshellarg exec explode extension_loaded extract fclose feof fflush fgetcsv fgets file file_exists file_get_contents"
    " file_put_contents fileatime filemtime fileperms filesize filter_var floatval flock floor fmod fopen fputcsv fread fseek"
    " fsockopen fstat ftell ftruncate func_get_arg func_get_args func_num_args function_exists fwrite gc_collect_cycles"
    " get_called_class get_class get_class_methods get_debug_type get_object_vars get_parent_class get_resource_type getcwd getenv"
    " gethostname gettype glob gmdate hash hash_algos hash_equals hash_hmac header headers_sent hex2bin hrtime html_entity_decode"
    " htmlentities htmlspecialchars http_build_query http_response_code iconv implode in_array ini_get ini_set interface_exists intdiv"
    " intval ip2long is_a is_array is_bool is_callable is_countable is_dir is_executable is_file is_float is_int is_iterable is_link"
    " is_nan is_null is_numeric is_object is_readable is_resource is_scalar is_string is_subclass_of is_writable iterator_apply"
    " iterator_count iterator_to_array join json_decode json_encode json_last_error json_last_error_msg key key_exists krsort ksort"
    " lcfirst libxml_use_internal_errors link log ltrim max mb_check_encoding mb_convert_case mb_convert_encoding mb_detect_encoding"
    " mb_internal_encoding mb_str_split mb_strimwidth mb_stripos mb_strlen mb_strpos mb_strrpos mb_strtolower mb_strtoupper"
    " mb_strwidth mb_substr mb_substr_count md5 memory_get_peak_usage memory_get_usage method_exists microtime min mkdir mktime"
    " mt_rand mt_srand natcasesort natsort next nl2br number_format ob_end_clean ob_get_clean ob_get_contents ob_get_level ob_start"
    " opendir openssl_decrypt openssl_encrypt ord pack parse_str parse_url password_hash password_verify pathinfo php_sapi_name"
    " php_uname phpversion posix_getpid pow preg_last_error preg_match preg_match_all preg_quote preg_replace preg_replace_callback"
    " preg_split prev print_r printf proc_close proc_open property_exists putenv rand random_bytes random_int range rawurldecode"
    " rawurlencode readdir readfile readlink realpath register_shutdown_function rename reset restore_error_handler"
    " restore_exception_handler rewind rmdir round rsort rtrim scandir serialize set_error_handler set_exception_handler settype sha1"
    " shell_exec shuffle similar_text sleep sort spl_autoload_register spl_object_hash spl_object_id sprintf sqrt sscanf str_contains"
    " str_ends_with str_ireplace str_pad str_repeat str_replace str_split str_starts_with str_word_count strcasecmp strcmp"
    " stream_context_create stream_get_contents stream_get_meta_data stream_isatty stream_select stream_set_blocking"
    " stream_socket_client strftime strip_tags stripos stripslashes stristr strlen strnatcasecmp strncasecmp strncmp strpbrk strpos"
    " strrchr strrev strripos strrpos strspn strstr strtok strtolower strtotime strtoupper strtr strval substr substr_compare"
    " substr_count substr_replace symlink sys_get_temp_dir tempnam time tmpfile touch trait_exists trigger_error trim uasort ucfirst"
    " ucwords uksort uniqid unlink unpack unserialize urldecode urlencode usleep usort utf8_decode utf8_encode var_dump var_export"
    " version_compare vsprintf wordwrap"
)
